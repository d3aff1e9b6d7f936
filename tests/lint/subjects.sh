#!/bin/bash
# subjects.sh: the subject of each commit is "area: verb ...", in 72 characters at most and without a full stop. Commits since
# the last release are read; before the first release, those since docs/CONTRIBUTING.md has the rule. A shallow clone has few of them.
set -u
since=$(git describe --tags --abbrev=0 2>/dev/null) || since=$(git log -1 --diff-filter=A --format=%H -- docs/CONTRIBUTING.md)
[ -n "$since" ] || exit 0
form='^[a-z][a-z0-9_,/ .-]*: [a-z].*[^.]$'
status=0
while read -r commit subject; do
	[ ${#subject} -le 72 ] && [[ $subject =~ $form ]] && continue
	echo "not \"area: verb ...\" in 72 characters: $commit $subject"
	status=1
done < <(git log --no-merges --format='%h %s' "$since..")
exit $status
