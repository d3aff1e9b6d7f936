#!/bin/bash
# check.sh: `msprof mcp` with the protocol's own clients from npm, in versions that were tried. Usage: check.sh BUILD
# Installs them below BUILD/tests/agents; without npm, or where it reaches no registry, it says so and skips.
set -euo pipefail
build=$(realpath -e "$1")
cd "$(dirname "$0")"
# shellcheck source=tests/scratch.bash
. ../scratch.bash
place=$build/tests/agents
packages=(@modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/inspector-cli@1.0.3)

command -v npm >/dev/null || {
	echo 'check-mcp: skipped: npm is not installed'
	exit 0
}
mkdir -p "$place"
cp client.mjs "$place"
cd "$place"
npm install --no-save --no-audit --no-fund --loglevel=error "${packages[@]}" >npm.log 2>&1 || {
	echo "check-mcp: skipped: npm cannot install the clients: $(head -1 npm.log)"
	exit 0
}
jobs=$place/jobs
discard_build "$build" tests/agents/jobs
mkdir "$jobs"
"$build/tests/genjob" --out "$jobs/JOBA"
"$build/tests/genjob" --out "$jobs/JOBB" --seed 2
node client.mjs legacy "$build/msprof" "$jobs"
node client.mjs modern "$build/msprof" "$jobs"
cd node_modules/@modelcontextprotocol/inspector-cli/build # where it looks for its own name
inspect=(node index.js "$build/msprof" mcp "$jobs")
"${inspect[@]}" --method tools/list | grep -c '"outputSchema"' | sed 's/^/inspector: tools: /'
"${inspect[@]}" --method tools/call --tool-name show --tool-arg job=JOBA --tool-arg limit=1 | grep -q '"msprof.show/1"'
"${inspect[@]}" --method resources/read --uri msprof://docs/AGENTS.md | grep -q '# Agents'
"${inspect[@]}" --method prompts/get --prompt-name why_is_it_slow --prompt-args job=JOBA | grep -q JOBA
echo 'check-mcp: passed'
