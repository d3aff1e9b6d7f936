# install.mk: what `make install` writes, and where. The Makefile includes it.

LIBDIR ?= $(PREFIX)/lib
DOCDIR := $(PREFIX)/share/doc/msprof
STRIP ?= $(CROSS)strip
# Where msprof and its Python module look for libraries, whatever LIBDIR is.
FIXED_LIBDIR := $(PREFIX)/lib/msprof

define newline


endef
# $(1): kind; $(2): files; $(3): directory
into = $(foreach f,$(2),$(1) $(f) $(3)/$(notdir $(f))$(newline))
# $(1): text of the link; $(2): the link
link = link $(1) $(2)$(newline)

# The one list of what `make install` writes and `make uninstall` removes: kind, file, place.
define LIST
$(call into,elf,$(BUILD)/msprof,$(PREFIX)/bin)
$(call into,elf,$(FLEET),$(PREFIX)/libexec/msprof)
$(call into,file,msprof.1 $(MAN1),$(PREFIX)/share/man/man1)
file docs/man/zh_CN/msprof.1 $(PREFIX)/share/man/zh_CN/man1/msprof.1
$(call into,file,$(MAN5),$(PREFIX)/share/man/man5)
$(call into,file,$(MAN3),$(PREFIX)/share/man/man3)
$(foreach l,$(MAN3_LINKS),$(call link,$(firstword $(subst =, ,$(l))),$(PREFIX)/share/man/man3/$(lastword $(subst =, ,$(l))).3))
file cli/msprof.bash $(PREFIX)/share/bash-completion/completions/msprof
file cli/msprof.zsh $(PREFIX)/share/zsh/site-functions/_msprof
file cli/msprof.fish $(PREFIX)/share/fish/vendor_completions.d/msprof.fish
$(call into,file,README.md LICENSE cli/board.ini,$(DOCDIR))
file $(SOURCE)/cjson/LICENSE $(DOCDIR)/LICENSE.cJSON
$(call into,file,$(sort $(wildcard docs/*.md)),$(DOCDIR)/docs)
$(call into,file,$(sort $(wildcard schema/fleet/grafana/*.json)),$(DOCDIR)/grafana)
$(call into,file,$(sort $(wildcard docs/pictures/*.png)),$(DOCDIR)/docs/pictures)
$(call into,file,schema/README.md,$(DOCDIR)/schema)
$(call into,file,lib/recorder/include/msprof_recorder.h,$(PREFIX)/include)
$(call into,file,$(sort $(wildcard lib/recorder/include/acl/*.h)),$(PREFIX)/include/acl)
$(call into,file,$(sort $(wildcard lib/recorder/include/mstx/*.h)),$(PREFIX)/include/mstx)
$(call into,file,lib/recorder/python/msprof_acl.py lib/recorder/python/mstx.py,$(PREFIX)/share/msprof/python)
$(call into,archive,$(RECORDER).a $(BUILD)/libmsprof_wrap.a,$(LIBDIR))
$(call into,elf,$(LINKED:%=%.$(RECORDER_ABI)) $(BUILD)/libmsprof_preload.so $(BUILD)/libmsprof_audit.so $(MSTX),$(LIBDIR))
$(foreach l,$(notdir $(LINKED)),$(call link,$(l).$(RECORDER_ABI),$(LIBDIR)/$(l)))
$(call into,file,$(BUILD)/msprof_wrap.rsp,$(LIBDIR))
$(foreach p,msprof_recorder msprof_aclprof msprof_svp,pc lib/recorder/$(p).pc.in $(LIBDIR)/pkgconfig/$(p).pc$(newline))
$(foreach c,msprofConfig msprofConfigVersion,pc lib/recorder/cmake/$(c).cmake.in $(LIBDIR)/cmake/msprof/$(c).cmake$(newline))
$(if $(filter-out $(PREFIX)/lib,$(LIBDIR)),$(foreach l,libmsprof_preload.so libmsprof_audit.so $(notdir $(MSTX)) $(notdir $(LINKED:%=%.$(RECORDER_ABI))),\
	$(call link,$(shell realpath -ms --relative-to=$(FIXED_LIBDIR) $(LIBDIR))/$(l),$(FIXED_LIBDIR)/$(l))))
endef
LINKED := $(RECORDER).so $(FACES)

# A tree where front ends of CANN look for its msprof: they cut the real path of msprof at "tools", and go on from there.
PROFILER := $(PREFIX)/tools/profiler
define CANN_LIST
$(call into,elf,$(BUILD)/msprof,$(PROFILER)/bin)
$(call into,elf,$(LINKED:%=%.$(RECORDER_ABI)) $(BUILD)/libmsprof_preload.so $(BUILD)/libmsprof_audit.so $(MSTX),$(PROFILER)/lib)
program cli/cann/msprof.py $(PROFILER)/profiler_tool/analysis/msprof/msprof.py
program cli/cann/get_msprof_info.py $(PROFILER)/profiler_tool/analysis/interface/get_msprof_info.py
file LICENSE $(PROFILER)/LICENSE.msprof
file $(SOURCE)/cjson/LICENSE $(PROFILER)/LICENSE.cJSON
$(call link,../tools/profiler/bin/msprof,$(PREFIX)/bin/msprof)
endef

# $(1): install, strip, uninstall or refuse
with_installed = @printf '%s' "$$INSTALLED" | DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' VERSION=$(VERSION) STRIP=$(STRIP) \
	cli/install.sh $(1)
install install-strip uninstall: export INSTALLED = $(LIST)
install-cann-tree uninstall-cann-tree: export INSTALLED = $(CANN_LIST)

.PHONY: install install-strip uninstall install-cann-tree uninstall-cann-tree
install-cann-tree: all
	$(call with_installed,refuse)
	$(call with_installed,install)
uninstall-cann-tree:
	$(call with_installed,refuse)
	$(call with_installed,uninstall)
install: all
	$(call with_installed,install)
install-strip: install
	$(call with_installed,strip)
uninstall:
	$(call with_installed,uninstall)
