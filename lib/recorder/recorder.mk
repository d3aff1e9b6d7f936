# recorder.mk: what applications link: the recorder, the vendor's names over it, wrappers of the vendor's calls. The Makefile includes it.

# The recorder needs nothing but the C library: it runs on boards, and contains cJSON. Of the schema it has the layouts of the records
# that it writes, which are read when it starts.
RECORDER_ABI := 0
RECORDER_SOURCES := $(filter-out $(LEFT_OUT) $(addprefix lib/base/,deflate.c packer.c sandbox.c),$(sort $(wildcard lib/base/*.c lib/config/*.c lib/raw/*.c lib/recorder/*.c)))
PIC_OBJECTS := $(RECORDER_SOURCES:%.c=$(BUILD)/pic/%.o) $(BUILD)/pic/schema.o $(BUILD)/pic/cJSON.o
RECORDER_SCHEMA := $(addprefix records/,host.rec prof_host.rec prof_info.rec svp.rec) pipe
PIC_FLAGS := -isystem $(SOURCE) -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections $(if $(NARROW),,$(call supported,-mprfchw))
RECORDER := $(BUILD)/libmsprof_recorder
# The vendor's names, thin and apart: a program may link the vendor's own library beside the recorder.
FACES := $(BUILD)/libmsprof_aclprof.so $(BUILD)/libmsprof_svp.so
# Its name is the vendor's, too: programs that link it ask for this file.
MSTX := $(BUILD)/libms_tools_ext.so
# The headers as manual pages; each function is a link to its page.
MAN3 := $(foreach h,msprof_recorder acl/acl acl/acl_prof acl/acl_msprof acl/svp_acl_prof mstx/ms_tools_ext mstx/ms_tools_ext_mem,$(BUILD)/man3/$(h).3)

.PHONY: recorder
recorder: $(RECORDER).so $(RECORDER).a $(FACES) $(MSTX) $(BUILD)/libmsprof_preload.so $(BUILD)/libmsprof_audit.so \
	$(BUILD)/libmsprof_wrap.a $(BUILD)/msprof_wrap.rsp $(MAN3)

$(BUILD)/pic/%.o: %.c Makefile | $(BUILD)/.msprof-build $(SOURCE)/cjson/cJSON.c
	@mkdir -p $(@D)
	$(call say,CC)$(COMPILE) $(CPPFLAGS) $(ALL_CFLAGS) $(PIC_FLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/pic/schema.c: schema/embed.sh lib/recorder/recorder.mk $(filter $(RECORDER_SCHEMA:%=schema/%/%) $(RECORDER_SCHEMA:%=schema/%),$(SCHEMA)) $(BUILD)/schema.list
	@mkdir -p $(@D)
	$(call say,EMBED)schema/embed.sh $(RECORDER_SCHEMA) >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/pic/schema.o: $(BUILD)/pic/schema.c lib/base/schema.h
	$(call say,CC)$(COMPILE) $(CPPFLAGS) $(ALL_CFLAGS) $(PIC_FLAGS) -c -o $@ $<

# Symbol versions: a list of calls, all of which are defined.
versions = -Wl,--version-script=$(1) -Wl,--no-undefined-version

# nodelete: threads of the application may be within it when somebody closes it
$(RECORDER).so.$(RECORDER_ABI): $(PIC_OBJECTS) lib/recorder/recorder.map
	$(call say,LINK)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,-soname,$(@F) $(call versions,lib/recorder/recorder.map) -Wl,-z,nodelete -Wl,--gc-sections \
		-Wl,-z,defs -o $@ $(PIC_OBJECTS) -lpthread -lm

$(RECORDER).so: $(RECORDER).so.$(RECORDER_ABI)
	@ln -sf $(<F) $@

$(FACES): $(BUILD)/libmsprof_%.so: $(BUILD)/pic/lib/recorder/faces/%.o lib/recorder/faces/%.map $(RECORDER).so
	$(call say,LINK)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,-soname,$(@F).$(RECORDER_ABI) $(call versions,$(filter %.map,$^)) -Wl,-z,defs -Wl,-rpath,'$$ORIGIN' -o $@.$(RECORDER_ABI) \
		$(filter %.o,$^) -L$(BUILD) -lmsprof_recorder -ldl
	@ln -sf $(@F).$(RECORDER_ABI) $@

$(MSTX): $(BUILD)/pic/lib/recorder/faces/ms_tools_ext.o $(RECORDER).so
	$(call say,LINK)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,-z,nodelete -Wl,-z,defs -Wl,-rpath,'$$ORIGIN' -o $@ $< -L$(BUILD) -lmsprof_recorder

# One object in which only the names of the header are left.
$(RECORDER).a: $(PIC_OBJECTS)
	$(call say,LINK)$(CROSS)ld -r -o $(BUILD)/pic/recorder.o $(PIC_OBJECTS)
	@$(CROSS)objcopy --wildcard --keep-global-symbol='msprof_*' $(BUILD)/pic/recorder.o
	@rm -f $@
	$(call say,AR)$(AR) rcsD $@ $(BUILD)/pic/recorder.o

$(MAN3): $(BUILD)/man3/%.3: lib/recorder/include/%.h lib/recorder/man3.awk msprof.1 | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	$(call say,MAN)awk -v date="$$(sed -n 's/^\.Dd //p' msprof.1)" -v include=$*.h -f lib/recorder/man3.awk $< >$@.$$$$ && mv $@.$$$$ $@
# the functions of a page; asked for once, not for each line of LIST
MAN3_LINKS = $(eval MAN3_LINKS := $(foreach m,$(MAN3),$(addprefix $(notdir $(m))=,\
	$(shell awk -v names=1 -f lib/recorder/man3.awk $(m:$(BUILD)/man3/%.3=lib/recorder/include/%.h)))))$(MAN3_LINKS)

# Wrappers of the vendor's functions, made from a table: as a library that is loaded first, and for the linker.
WRAPPED := $(sort $(wildcard schema/wrap/*.txt))
WRAP_COMMON := $(patsubst %.c,$(BUILD)/pic/%.o,lib/base/error.c lib/base/text.c lib/recorder/log.c lib/recorder/wrap/wrap.c)

$(BUILD)/wrap_calls.c: lib/recorder/wrap/generate.sh $(WRAPPED) | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	$(call say,MAKE)lib/recorder/wrap/generate.sh c $(WRAPPED) >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/msprof_wrap.rsp: lib/recorder/wrap/generate.sh $(WRAPPED) | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	$(call say,MAKE)lib/recorder/wrap/generate.sh rsp $(WRAPPED) >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/pic/wrap_calls.o $(BUILD)/pic/wrap_linked.o: $(BUILD)/wrap_calls.c lib/recorder/wrap/wrap.h
	@mkdir -p $(@D)
	$(call say,CC)$(COMPILE) $(CPPFLAGS) $(ALL_CFLAGS) $(PIC_FLAGS) $(if $(filter %linked.o,$@),-DMP_WRAP_LINKED) -c -o $@ $<

$(BUILD)/libmsprof_preload.so: $(WRAP_COMMON) $(BUILD)/pic/lib/recorder/wrap/preload.o $(BUILD)/pic/wrap_calls.o $(RECORDER).so
	$(call say,LINK)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,-z,nodelete -Wl,-z,defs -Wl,--hash-style=both -Wl,-rpath,'$$ORIGIN' -o $@ \
		$(filter %.o,$^) -L$(BUILD) -lmsprof_recorder -ldl

# It is loaded apart from the program: it links nothing but the C library, and a sanitizer's runtime cannot be loaded twice.
$(BUILD)/pic/lib/recorder/wrap/audit.o: lib/recorder/wrap/audit.c lib/recorder/wrap/wrap.h lib/recorder/include/msprof_recorder.h | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	$(call say,CC)$(COMPILE) $(CPPFLAGS) $(filter-out -fsanitize% -fno-sanitize%,$(ALL_CFLAGS) $(PIC_FLAGS)) -c -o $@ $<
$(BUILD)/libmsprof_audit.so: $(BUILD)/pic/lib/recorder/wrap/audit.o
	$(call say,LINK)$(CC) $(filter-out -fsanitize% -fno-sanitize%,$(ALL_CFLAGS) $(ALL_LDFLAGS)) -shared -Wl,-z,defs -o $@ $<

$(BUILD)/libmsprof_wrap.a: $(WRAP_COMMON) $(BUILD)/pic/wrap_linked.o
	$(call say,LINK)$(CROSS)ld -r -o $(BUILD)/pic/wrap.o $^
	@$(CROSS)objcopy --wildcard --keep-global-symbol='__wrap_*' $(BUILD)/pic/wrap.o
	@rm -f $@
	$(call say,AR)$(AR) rcsD $@ $(BUILD)/pic/wrap.o

-include $(PIC_OBJECTS:.o=.d) $(patsubst $(BUILD)/libmsprof_%.so,$(BUILD)/pic/lib/recorder/faces/%.d,$(FACES)) $(BUILD)/pic/lib/recorder/faces/ms_tools_ext.d $(WRAP_COMMON:.o=.d) $(BUILD)/pic/lib/recorder/wrap/preload.d
