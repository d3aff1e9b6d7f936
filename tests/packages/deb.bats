#!/usr/bin/env bats
# deb.bats: Debian packages: lintian finds nothing, and in a minimal system they are installed, tested, upgraded and removed.

load ../cli/helpers

setup_file() {
	command -v dh >/dev/null && command -v lintian >/dev/null && command -v autopkgtest >/dev/null || return 0
	make -C "$ROOT" deb BUILD="$BATS_FILE_TMPDIR/build" >"$BATS_FILE_TMPDIR/log" 2>&1 || fail "$(tail -5 "$BATS_FILE_TMPDIR/log")"
}

setup() {
	[ -e "$BATS_FILE_TMPDIR/log" ] || skip 'no dh, lintian or autopkgtest: make deps-packages'
	cd "$BATS_TEST_TMPDIR" || return
	DEBS=$BATS_FILE_TMPDIR/build/deb
}

# A minimal Debian of this machine's release, made once, and a copy for each test. The caller enters it by chroot.
machine() {
	local fresh=$BATS_FILE_TMPDIR/machine
	[ "$(id -u)" = 0 ] || skip "not root"
	command -v debootstrap >/dev/null || skip "no debootstrap: make deps-packages"
	# shellcheck source=/dev/null
	[ -e "$fresh" ] || (. /etc/os-release && umask 0022 && debootstrap --variant=minbase "$VERSION_CODENAME" "$fresh") \
		>"$BATS_FILE_TMPDIR/log" 2>&1 || skip "debootstrap: $(tail -1 "$BATS_FILE_TMPDIR/log")"
	MACHINE=$BATS_TEST_TMPDIR/machine
	cp -a "$fresh" "$MACHINE"
}

# inside COMMAND: a shell command in the machine
inside() {
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} \
		chroot "$MACHINE" sh -c "$1" </dev/null >inside.log 2>&1 || fail "$1: $(tail -5 inside.log)"
}

@test "lintian has no error and no warning" {
	run lintian --allow-root --fail-on error,warning "$DEBS"/msprof_*.changes
	[ "$status" -eq 0 ] || fail "$output"
}

@test "five packages, whose versions are those of the Makefile, and nothing of the build in them" {
	version=$(sed -n 's/^VERSION := //p' "$ROOT/Makefile")
	for package in msprof msprof-cann-tree libmsprof-recorder0 libmsprof-dev python3-msprof-acl; do
		file=$(echo "$DEBS/${package}_"*.deb)
		has "$(dpkg -f "$file" Version)" "$version-"
		dpkg -x "$file" all
	done
	equal "$(dpkg -f "$DEBS"/libmsprof-recorder0_*.deb Depends | grep -oE '(^|, )[a-z0-9-]+' | tr -d ', ')" libc6
	equal "$(grep -rlI "$BATS_FILE_TMPDIR" all)" ''
	equal "$(find all -xtype l ! -name '*.3.gz')" ''
}

@test "msprof-cann-tree: the scripts where front ends look, and programs are recorded with the libraries of msprof, their marks too" {
	equal "$(dpkg -c "$DEBS"/msprof-cann-tree_*.deb | awk '!/^d/ && !/\/doc\// { print $6, $1, $8 }' | sort | sed 's/ *$//')" \
'./usr/lib/msprof-cann/bin/msprof lrwxrwxrwx ../tools/profiler/bin/msprof
./usr/lib/msprof-cann/tools/profiler/bin/msprof -rwxr-xr-x
./usr/lib/msprof-cann/tools/profiler/lib lrwxrwxrwx ../../../msprof
./usr/lib/msprof-cann/tools/profiler/profiler_tool/analysis/interface/get_msprof_info.py -rwxr-xr-x
./usr/lib/msprof-cann/tools/profiler/profiler_tool/analysis/msprof/msprof.py -rwxr-xr-x'
	for package in msprof msprof-cann-tree libmsprof-recorder0; do
		dpkg -x "$DEBS/${package}_"*.deb all
	done
	export LD_LIBRARY_PATH
	LD_LIBRARY_PATH=$PWD/$(echo all/usr/lib/*-linux-gnu*)
	for program in usr/bin/msprof usr/lib/msprof-cann/bin/msprof; do
		run "all/$program" --output=out --msproftx=on sh -c 'echo "$MSTX_INJECTION_PATH" >library'
		[ -f "$(cat library)" ] || fail "$program has no library of marks: $output"
		"all/$program" --output=out --msproftx=on "$BUILD/tests/stub/app" --executes 2
		has "$(cat out/PROF_*/mindstudio_profiler_output/api_statistic_*)" aclmdlExecute,
		discard out library
	done
	"$BUILD/tests/genprof" --out PROF_000001_20231114221320000_MADEUPMADEUPMADE
	python3 all/usr/lib/msprof-cann/tools/profiler/profiler_tool/analysis/msprof/msprof.py import -dir PROF_000001_20231114221320000_MADEUPMADEUPMADE
	[ -e PROF_000001_20231114221320000_MADEUPMADEUPMADE/device_0/sqlite/ascend_task.db ]
}

@test "the tests of the packages pass in a minimal system" {
	machine
	# the machine has a /tmp, and no directory of these tests
	env -u BUILD -u TMPDIR autopkgtest --output-dir "$PWD/autopkgtest" --setup-commands="apt-get update" \
		-B "$DEBS"/*.deb "$DEBS"/*.dsc -- chroot "$MACHINE" >autopkgtest.log 2>&1 ||
		fail "$(tail -20 autopkgtest.log)"
	equal "$(grep -aoE '^[a-z-]+ +PASS' autopkgtest.log | sort -u | awk '{ print $1 }' | xargs)" 'client main-job upgrade'
}

@test "an upgrade keeps jobs readable, and a removal leaves nothing" {
	machine
	mkdir -p "$MACHINE/debs/older" "$MACHINE/job"
	cp "$DEBS"/*msprof*.deb "$MACHINE/debs"
	for package in msprof libmsprof-recorder0 libmsprof-dev python3-msprof-acl; do
		dpkg-deb -R "$DEBS/${package}_"*.deb older
		sed -i -E 's/^(Version: |.*libmsprof-recorder0 \(>?= )[0-9.]+/\10.8.0/' older/DEBIAN/control
		dpkg-deb -b older "$MACHINE/debs/older/$package.deb" >/dev/null
		discard older
	done
	cp -r "$ROOT"/tests/data/JOB* "$MACHINE/job"
	inside 'apt-get update && apt-get install -qy --no-install-recommends /debs/older/*.deb && umask 0027 && msprof import -dir /job/JOB*'
	inside 'apt-get install -qy --no-install-recommends /debs/msprof_*.deb /debs/lib*0_*.deb /debs/*-dev_*.deb /debs/python3-*.deb'
	inside 'umask 0027 && msprof show -dir /job/JOB* && test -z "$(dpkg --audit)" && dpkg -s msprof >/version'
	has "$(cat "$MACHINE/version")" "Version: $(sed -n 's/^VERSION := //p' "$ROOT/Makefile")-"
	inside 'dpkg -P msprof libmsprof-dev python3-msprof-acl libmsprof-recorder0'
	equal "$(cd "$MACHINE" && find . -xdev -path ./debs -prune -o -path ./job -prune -o \( -iname '*msprof*' -o -iname '*mstx*' \) -print |
		grep -vE '^\./(var/(log|cache|lib/apt)|proc)/')" ''
}
