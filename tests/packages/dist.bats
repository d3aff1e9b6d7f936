#!/usr/bin/env bats
# dist.bats: the tarball of the sources: the same bytes everywhere, a checksum, a bill of materials, a signature.

load ../cli/helpers

setup_file() {
	make -s -C "$ROOT" dist BUILD="$BATS_FILE_TMPDIR/build" >/dev/null
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	VERSION=$(sed -n 's/^VERSION := //p' "$ROOT/Makefile")
	DIST=$BATS_FILE_TMPDIR/build/dist/msprof-$VERSION
}

@test "a tarball that is made of the tarball is the same, whatever the user, the time and the place" {
	tar xzf "$DIST.tar.gz"
	cd "msprof-$VERSION"
	chmod -R go-rwx .
	find . -exec touch -d 2001-02-03 {} +
	(umask 0077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 make -s dist BUILD=build >/dev/null)
	cmp "build/dist/msprof-$VERSION.tar.gz" "$DIST.tar.gz"
	cmp "build/dist/msprof-$VERSION.spdx.json" "$DIST.spdx.json"
	# the names, sorted; nobody's files; one time
	tar tzf "$DIST.tar.gz" >names
	LC_ALL=C sort -c names
	equal "$(tar tvzf "$DIST.tar.gz" --numeric-owner | awk '{ print $2, $4, $5 }' | sort -u | wc -l)" 1
	equal "$(sed 's,^[^/]*/,,' names)" "$(git -C "$ROOT" ls-files 2>/dev/null | LC_ALL=C sort || cat names)"
}

@test "the checksums are those of the files" {
	cd "${DIST%/*}"
	sha256sum --quiet -c "msprof-$VERSION.sha256"
	equal "$(wc -l <"msprof-$VERSION.sha256")" 2
}

@test "the bill of materials names every library that is linked, and what the program contains" {
	bill() {
		jq -r "$1" "$DIST.spdx.json"
	}
	equal "$(bill '.spdxVersion, .SPDXID, .dataLicense' | xargs)" 'SPDX-2.3 SPDXRef-DOCUMENT CC0-1.0'
	equal "$(bill '.packages[0].checksums[0].checksumValue')" "$(sha256sum <"$DIST.tar.gz" | cut -d' ' -f1)"
	# those of the program, and those that the static one has in addition
	mapfile -t libraries < <({
		make -s -C "$ROOT" --eval='libraries: ; @echo $(LIBS)' libraries
		grep -o 'MORE_LIBS=.*' "$ROOT/cli/static.mk"
	} | grep -oE -e '-l[a-z0-9]+')
	has "${libraries[*]}" -lsqlite3 -lssh -lnettle
	for library in "${libraries[@]}"; do
		[ "$(bill ".packages | map(select(.comment // \"\" | test(\"$library\\\\b\"))) | length")" = 1 ] || fail "no $library"
	done
	equal "$(bill '.packages | map(select(.licenseDeclared == "" or .name == "")) | length')" 0
	# each relation is between elements that are there, and each part has one
	equal "$(bill '([.packages[].SPDXID] | sort) == ([.relationships[] | .relatedSpdxElement, .spdxElementId] | unique - ["SPDXRef-DOCUMENT"])')" true
	equal "$(bill '[.relationships[].relationshipType] | unique | join(" ")')" 'CONTAINS DESCRIBES DYNAMIC_LINK STATIC_LINK VARIANT_OF'
}

@test "dist-sign signs with a key of the user" {
	command -v gpg >/dev/null || skip "no gpg"
	export GNUPGHOME=$BATS_TEST_TMPDIR/keys
	mkdir -m 0700 "$GNUPGHOME"
	gpg --batch --quiet --passphrase '' --quick-generate-key 'A Tester <tester@example.org>' ed25519 sign never
	make -s -C "$ROOT" dist-sign BUILD="$BATS_FILE_TMPDIR/build" GPG_KEY=tester@example.org >/dev/null
	for file in tar.gz spdx.json sha256; do
		gpg --quiet --verify "$DIST.$file.asc" "$DIST.$file"
	done
	gpgconf --kill gpg-agent
}
