#!/bin/sh
# probe.sh: print what a board can do: "have WORD" and "sftp PROGRAM" lines, then "home ", the home directory and "//".

for c in tar tail sha256sum flock setsid; do
	command -v $c >/dev/null 2>&1 && echo "have $c"
done
[ -n "$(find . -prune -exec stat -c '%f %s %Y %n//' {} \; 2>/dev/null)" ] && echo "have list"
find . -prune -exec stat -c %s {} + >/dev/null 2>&1 && echo "have find_plus"
printf 'a\0' | xargs -0 sh -c : >/dev/null 2>&1 && echo "have xargs_null"
for s in /usr/lib/openssh/sftp-server /usr/libexec/openssh/sftp-server /usr/libexec/sftp-server \
	/usr/lib/ssh/sftp-server /usr/lib/sftp-server; do
	[ -x $s ] && echo "sftp $s" && break
done
# last, because it may hold anything
printf "home %s//\n" "$HOME"
