# dist.mk: a release: the tarball, its signatures, Debian packages. The Makefile includes it.

# The sources as a tarball, with a checksum and a bill of materials; the signing key is that of the user: GPG_KEY=, or gpg's own.
DIST := $(BUILD)/dist/msprof-$(VERSION)
GPG_KEY ?=

.PHONY: dist dist-sign deb
dist: | $(BUILD)/.msprof-build
	.packaging/dist.sh $(VERSION) $(BUILD)/dist
dist-sign: dist
	for f in $(DIST).tar.gz $(DIST).spdx.json $(DIST).sha256; do \
		gpg --batch --yes --armor --detach-sign $(GPG_KEY:%=--local-user '%') --output $$f.asc $$f || exit; done

# Debian packages, from that tarball: build/deb
deb: dist $(SOURCE)/cjson/cJSON.c
	$(call discard_build,deb)
	.packaging/deb.sh $(VERSION) $(DIST).tar.gz $(SOURCE)/cjson $(BUILD)/deb
