# shellcheck shell=bash
# trace.bash: what tests of merged traces need: protoc, and a python3 with its runtime in $PYTHON.

need_decoder() {
	command -v protoc >/dev/null || skip "protoc is not installed"
	for PYTHON in python3 /usr/bin/python3; do
		! "$PYTHON" -c 'import google.protobuf' 2>/dev/null || return 0
	done
	skip "python3-protobuf is not installed"
}
