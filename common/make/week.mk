# The make rules of a week, whose Makefile includes this file. They find the week's files by wildcard.
#
#   stageN_name.cu   the ladder           build/DEVICE/stageN, linked to as ./stageN
#   ref_name.cu      a vendor's library   build/gpu/ref_name.so, which every stage's program loads
#   exerciseN_name.cu  a student's solution of an exercise, built like a stage; the masters are in exercises/
#   demo_name.cu     programs             build/DEVICE/demo_name, linked to as ./demo_name
#   name.c name.h    the problem          in every program; PROGRAMS names those that are stand-alone programs
#                                         the week's own header, NN_week/week.h, declares the function that each stage
#                                         defines
#   runs             what `make record` measures, one run per line
#   claims           bounds that guard against regressions
#
# What the heads of the .cu files say is in build/DEVICE/rules.mk, which `ladder rules` writes. A build with knobs (make
# stage3 TILE=16, or stage3@TILE-16 among others) is a separate program: build/gpu/stage3@TILE=16.

SHELL := /bin/sh
MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

SCRIPTS := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
COMMON  := $(patsubst %/make,%,$(SCRIPTS))
WEEK    := $(lastword $(subst /, ,$(CURDIR)))
AWK     ?= awk
comma   := ,
space   := $(subst ,, )
# Make would expand a prediction, which may have any characters, for each environment: make 4.4 also for that of $(shell).
unexport PREDICT

include $(SCRIPTS)/device.mk
include $(SCRIPTS)/tool.mk
include $(SCRIPTS)/flags.mk
include $(SCRIPTS)/goals.mk
include $(SCRIPTS)/code.mk
BUILD  := build/$(DEVICE)
OBJ    := $(BUILD)/obj
# Objects that are the same in every week.
SHARED := $(dir $(LADDER))$(DEVICE)

# --- flags ---

ifneq ($(filter undefined default,$(origin CXX)),)
CXX := g++
endif
CFLAGS ?= -O2 -g

# The week's header declares the function that each stage defines, both with its name: reduction.h of 02_reduction.
ENTRY     := $(patsubst $(firstword $(subst _, ,$(WEEK)))_%,%,$(WEEK))
INCLUDES  := $(addprefix -I$(COMMON)/,harness base table stage model)
C_FLAGS   := -std=gnu11 -Wall -Wextra $(INCLUDES) $(CFLAGS)
LIBS      := -ldl -lm -lpthread
WEEK_SRCS := $(filter-out $(PROGRAMS:%=%.c),$(wildcard *.c))
# A week with MODELED = no has no model of time, and its first program is built sooner.
SHARED_SRCS := $(filter-out %/backend_gpu.c %/backend_cpu.c $(if $(filter no,$(MODELED)),%/predict.c),\
	$(wildcard $(COMMON)/harness/*.c)) $(COMMON)/harness/backend_$(DEVICE).c $(wildcard $(COMMON)/stage/*.c) \
	$(if $(filter no,$(MODELED)),,$(wildcard $(COMMON)/model/*.c))
# What the programs that grade have beside these.
GRADE_SRCS  := $(addprefix $(COMMON)/grade/,isolated.c isolated_time.c serve.c shift.c confine.c)
LIBRARY_SRCS  := $(wildcard $(COMMON)/base/*.c $(COMMON)/table/*.c)

NVCC_FLAGS   = -std=c++17 -O3 -lineinfo --default-stream per-thread -Xcompiler -Wall -I. $(NVCCFLAGS)
# References run on all cores beside a GPU. Beside the CPU device they do not: its problems are small, and OpenMP's
# threads spin after each parallel region on the cores that the CPU device needs.
ifeq ($(DEVICE),gpu)
LIBS        += -fopenmp
C_FLAGS     += -fopenmp -DCUDA_API_PER_THREAD_DEFAULT_STREAM $(CUDA_INC:%=-I%)
CUDA_LIBS   := $(if $(CUDA_LIB),-L$(CUDA_LIB) -Wl$(comma)-rpath$(comma)$(CUDA_LIB)) -lcudart
LINK_FLAGS   = -rdynamic $(LDFLAGS) $(CUDA_LIBS) $(LIBS)
FROM_CU     := .o
else
EMU_PASS    := $(dir $(LADDER))source_pass
EMU_OUT     := $(SHARED)/emu
include $(COMMON)/emu/emu.mk
C_FLAGS     += -Wno-unknown-pragmas $(EMU_CPPFLAGS)
LINK_FLAGS   = -rdynamic $(LDFLAGS) $(EMU_LDFLAGS) $(LIBS)
FROM_CU     := .ii
endif

# --- rules.mk, which make builds first and then reads ---

FOLDERS := $(OBJ) $(addprefix $(SHARED)/,harness base table stage model grade)
active_here := $(filter-out help clean,$(or $(MAKECMDGOALS),all))
ifneq ($(active_here),)
$(BUILD)/rules.mk: force $(LADDER)
	@$(if $(filter-out $(wildcard $(FOLDERS)),$(FOLDERS)),mkdir -p $(FOLDERS))
	@$(LADDER) rules --device $(DEVICE) --arch '$(ARCH)' $(if $(filter default,$(ARCH_FROM)),,--known) \
		--archs '$(nvcc_archs)' --out $(BUILD)
include $(BUILD)/rules.mk
endif

STAGES ?= $(ALL_STAGES)
$(if $(filter-out head,$(ONLY)),$(error ONLY=$(ONLY): expected ONLY=head))

# --- builds ---

# A build is a program, or one with settings of its knobs: stage4, stage4@TILE-16,ROWS-4. This is its name as a target,
# with "-" for the "=" in the name of its file, which make would read as an assignment. $(call key,BUILD) is its
# program, $(call settings,BUILD) are its knobs: TILE=16 ROWS=4.
key      = $(firstword $(subst @, ,$1))
settings = $(strip $(foreach k,$(subst $(comma), ,$(word 2,$(subst @, ,$1))),\
	$(call setting,$k,$(firstword $(subst -, ,$k)))))
setting  = $2=$(patsubst $2-%,%,$1)
joined   = $(addprefix @,$(subst $(space),$(comma),$(strip $1)))
program  = $(BUILD)/$(key)$(call joined,$(settings))
# The build of a program with those knobs of the command line that it has, in the order of its file.
build_of = $1$(call joined,$(foreach k,$($1.knobs),$(if $(filter $k,$(used_knobs)),$k-$($k))))

# PLANNED: what `ladder` is going to run, for the goal `planned`.
HIDDEN := stages drawn device default_arch shared runtime for_grading planned force
known  := $(TARGETS) $(HIDDEN) $(ALL_STAGES) $(ALL_EXERCISES) $(REFERENCES) $(DEMOS) $(PROGRAMS) $(ALL_PARTS)
with_knobs := $(foreach g,$(MAKECMDGOALS) $(PLANNED),$(if $(findstring @,$g),$g))
# A name with other characters, without a knob, or with a knob without a value. $1: the build
malformed   = $(or $(shell printf %s $(call quoted,$1) | tr -d 'A-Za-z0-9_.+@\054-'),\
	$(call differ,$1,$(call key,$1)@$(subst =,-,$(subst $(space),$(comma),$(call settings,$1)))),\
	$(if $(call settings,$1),$(filter %=,$(call settings,$1)),none))
$(foreach g,$(with_knobs),$(if $(call malformed,$g),\
	$(error $g: expected a program with settings of its knobs$(comma) for example stage4@TILE-16$(comma)ROWS-2)))
strange    := $(if $(active_here),$(filter-out $(known) $(with_knobs),$(goal_names)))
# Before make starts again, a knob may have any text.
used_knobs := $(if $(MAKE_RESTARTS),$(KNOBS))
judged := $(call judged_by,$(BUILD)/$(words_mk))
ifneq ($(and $(active_here),$(strange)$(KNOBS)$(filter command,$(origin STAGES))),)
stage_files  = $(foreach f,$(wildcard stage*_*.cu),$(firstword $(subst _, ,$f)))
asked_stages = $(if $(filter file,$(origin STAGES)),$(stage_files),$(STAGES))
ifeq ($(MAKE_RESTARTS),)
WORDS := $(BUILD)/$(words_mk)
# Without STAGES, those whose files are here: rules.mk may be older.
$(WORDS): force $(BUILD)/rules.mk
	$(call words_file,--unknown $(call quoted,$(strange)) --goals $(call quoted,$(MAKECMDGOALS) $(STAGE)) \
		--stages $(call quoted,$(asked_stages)) --programs '$(DEMOS) $(REFERENCES)' \
		$(if $(filter knobs,$(MAKECMDGOALS)),--lists))
include $(WORDS)
else
$(eval $(judged))$(if $(wrong_word),$(error $(value wrong_word)))
endif
endif

WITH_HARNESS := $(ALL_STAGES) $(ALL_EXERCISES)
# Programs that are named are built on all cores.
jobs := $(if $(MAKECMDGOALS),$(if $(filter-out code $(WITH_HARNESS) $(DEMOS),$(MAKECMDGOALS)),,$(all_cores)))
MAKEFLAGS += $(jobs)
buildable    = $(foreach k,$1,$(if $(filter none,$($k.arch)),,$k))
BUILDS       := $(sort $(with_knobs) $(foreach p,$(WITH_HARNESS) $(call buildable,$(DEMOS)),$(call build_of,$p)))

# The objects of a build.
objects_of = $(if $(call buildable,$(key)),$(OBJ)/$1.o) $(if $(filter $(WITH_HARNESS),$(key)),$(OBJ)/$1.info.o)
OBJECTS    := $(foreach b,$(BUILDS),$(call objects_of,$b))
CU_OBJS    := $(filter-out %.info.o,$(OBJECTS))
INFO_OBJS  := $(filter %.info.o,$(OBJECTS)) $(patsubst %,$(OBJ)/%.info.o,grader $(call buildable,$(REFERENCES)))
# Programs with the harness. The program that grades has the head in common/grade/stage_info.c.
STAGE_PROGRAMS := $(foreach b,$(filter-out demo_%,$(BUILDS)),$(call program,$b)) $(BUILD)/grader
DEMO_PROGRAMS  := $(foreach b,$(filter demo_%,$(BUILDS)),$(call program,$b))

# The build of an object, and in a recipe its program.
this = $(patsubst %.info,%,$(basename $(notdir $1)))
KEY  = $(firstword $(subst ., ,$(call key,$(notdir $@))))

# A program depends on its objects, and these on its source.
$(foreach b,$(BUILDS),$(eval $$(call program,$$b): $(call objects_of,$b)))
info_of = $(patsubst %,$(OBJ)/%.info.c,$(filter-out demo_%,$(call key,$(call this,$1))))
# The head changes if another file takes the place of a stage's.
$(foreach o,$(CU_OBJS),$(eval $(o:.o=$(FROM_CU)): $($(call key,$(call this,$o)).file) $(call info_of,$o)))
$(foreach o,$(filter-out %/grader.info.o,$(INFO_OBJS)),$(eval $o: $(call info_of,$o)))
$(foreach p,$(WITH_HARNESS) $(call buildable,$(DEMOS)),$(eval $p: $$(call program,$$(call build_of,$$p))))
$(foreach b,$(with_knobs),$(eval $b: $$(call program,$$b)))
$(foreach r,$(call buildable,$(REFERENCES)),$(eval $r: $(BUILD)/$r.so))
$(foreach r,$(call buildable,$(REFERENCES)),$(eval $(BUILD)/$r.so: $($r.file) $(OBJ)/$r.info.o))
planned: $(PLANNED)
	@:
.PHONY: planned $(with_knobs)

# --- recipes; V=1 shows the commands, make -s nothing ---

Q     := $(if $(V),,@)
# The first command that builds something prints what is built.
announce = $(if $(V)$(quiet)$(announced),,$(eval announced := yes)@echo '$(WEEK): building $(strip $(wanted_words))')
wanted   = $(or $(PLANNED),$(filter $(WITH_HARNESS) $(DEMOS) $(REFERENCES) $(PROGRAMS) $(with_knobs),$(MAKECMDGOALS)),\
	$(if $(filter draw,$(MAKECMDGOALS)),$(can_draw)),$(STAGES) $(REFERENCES) $(DEMOS) $(PROGRAMS))
wanted_words = $(if $(word 4,$(wanted)),$(words $(wanted)) programs,$(wanted))$(if $(filter-out $(wildcard \
	$(lastword $(EMU_CORE))),$(lastword $(EMU_CORE))), and$(comma) once$(comma) the CPU device)
deps   = -MMD -MP -MF $(@:.o=.d) -MT $@
whole  = $(SCRIPTS)/whole.sh
object = $(whole) $@ $(@:.o=.d) --
keep_regs = $(SCRIPTS)/nvcc.sh $(@:.o=.regs)
WEEK_OBJS   := $(WEEK_SRCS:%.c=$(OBJ)/%.o)
LIBRARY_OBJS  := $(LIBRARY_SRCS:$(COMMON)/%.c=$(SHARED)/%.o)
GRADE_OBJS  := $(GRADE_SRCS:$(COMMON)/%.c=$(SHARED)/%.o)
SHARED_OBJS := $(SHARED_SRCS:$(COMMON)/%.c=$(SHARED)/%.o) $(LIBRARY_OBJS)

.PHONY: device $(WITH_HARNESS) $(REFERENCES) $(DEMOS)
# Prints the device.
device:
ifeq ($(DEVICE)$(have_nvcc),gpu)
	@echo 'nvcc is not installed: install the CUDA Toolkit, or use the CPU device (DEVICE=cpu)' >&2; exit 1
endif
ifneq ($(if $(quiet)$(asking),,$(REASON)),)
	@echo '$(REASON)'
endif

# CXXFLAGS are for the .cu files.
object_flags = $(CC) $(C_FLAGS) | $(CXX) $(LINK_FLAGS) $(CXXFLAGS) | \
	$(if $(filter gpu,$(DEVICE)),$(NVCC) $(ARCH) --resource-usage $(NVCC_FLAGS),$(EMU_KERNEL_CXXFLAGS))
$(SHARED)/flags: $(call if_changed,$(SHARED)/flags,$(CC) $(C_FLAGS)) | device
	$(call keep_flags,$(CC) $(C_FLAGS),$(firstword $(CC)))
$(OBJ)/flags: $(call if_changed,$(OBJ)/flags,$(object_flags)) | device
	$(call keep_flags,$(object_flags),$(firstword $(CC)) $(firstword $(CXX)))

$(WEEK_OBJS): $(OBJ)/%.o: %.c $(SHARED)/flags | device
	$(announce)
	$(Q)$(object) $(CC) $(C_FLAGS) $(deps) -c $< -o $@

$(SHARED_OBJS) $(GRADE_OBJS): $(SHARED)/%.o: $(COMMON)/%.c $(SHARED)/flags | device
	$(announce)
	$(Q)$(object) $(CC) $(C_FLAGS) $(deps) -c $< -o $@

$(EMU_OBJS): | device

# For targets that build first what all programs share.
.PHONY: shared runtime
runtime: $(SHARED_OBJS) $(EMU_OBJS) $(EMU_PASS)
shared: runtime $(WEEK_OBJS)

defines = $(addprefix -D,$(call settings,$(call this,$@)))

# stage_info: `ladder rules` writes its source; a build with knobs has its own object.
$(INFO_OBJS): $(OBJ)/flags
	$(Q)$(object) $(CC) $(C_FLAGS) -fPIC -DKNOBS='"$(call settings,$(call this,$@))"' $(deps) -c $(filter %info.c,$^) -o $@

# A failed build leaves no earlier program with these settings, which `ladder` would run.
no_stale = $(if $(findstring @,$@),rm -f $(call program,$(call this,$@));)
ifeq ($(DEVICE),gpu)
compile_cu = $(NVCC) $(call arch_flags,$($(KEY).arch)) --resource-usage $(NVCC_FLAGS) $(defines) $(deps) \
	-c $($(KEY).file) -o $@
$(CU_OBJS): $(OBJ)/flags | device
	$(announce)
	$(Q)$(no_stale) $(object) $(keep_regs) $(compile_cu)
else
$(patsubst %.o,%.ii,$(CU_OBJS)): %.ii: $(EMU_PASS) $(OBJ)/flags | device
	$(announce)
	$(Q)$(no_stale) i=$*.$$$$.i; $(whole) $*.d -- $(CXX) $(EMU_PREPROCESS_FLAGS) $(source) -MMD -MP -MF $*.d -MT $@ \
		-o $$i && $(EMU_PASS) $$i $(EMU_DEVICE_VIEW) $(source) > $${i}i && mv -f $${i}i $@; \
		status=$$?; rm -f $$i $${i}i; exit $$status
source = $(CXXFLAGS) -I. $(defines) $($(KEY).file)
$(CU_OBJS): %.o: %.ii
	$(Q)$(whole) $@ -- $(EMU_PASS) --compile $< $(CXX) $(EMU_COMPILE_FLAGS) $(CXXFLAGS) $(EMU_LAST_FLAGS) \
		-c $< -o $@
endif

# The CPU device has cuBLAS's products itself (common/emu/host/cublas.cpp).
links = $(filter-out $(if $(filter cpu,$(DEVICE)),-lcublas),$($(KEY).links))
# A stage that this device cannot run is linked with NULL as the week's function. Its program reports that and exits 77.
without_stage = $(if $(filter none,$($(KEY).arch)),-no-pie -Wl$(comma)--defsym=$(ENTRY)=0)
$(STAGE_PROGRAMS): $(WEEK_OBJS) $(SHARED_OBJS) $(EMU_CORE) $(wildcard $(EMU_LIBRARY)) | device
	$(announce)
	$(Q)$(SCRIPTS)/link.sh '$($(KEY).file)' '$(ENTRY)' \
		$(emu_link) $(whole) $@ -- $(CXX) $(filter %.o,$^) $(without_stage) $(links) $(LINK_FLAGS) -o $@
# A demonstration that includes CUDA's headers alone needs no harness: the first program of a clone is built soon.
$(foreach b,$(filter demo_%,$(BUILDS)),$(if $(findstring include ",$(file <$($(call key,$b).file))),\
	$(eval $$(call program,$$b): $(filter-out %/main.o,$(SHARED_OBJS)))))
$(DEMO_PROGRAMS): $(EMU_CORE) $(wildcard $(EMU_LIBRARY)) | device
	$(announce)
	$(Q)$(emu_link) $(whole) $@ -- $(CXX) $(filter %.o,$^) $(links) $(LINK_FLAGS) -o $@

# Machine code for the model of time, with FOR.
with_code  := $(if $(FOR_ARCH),$(if $(missing_for_code),,$(filter-out demo_%,$(BUILDS))))
CODE_FILES := $(with_code:%=$(CODE)/%.sass)
$(CODE_FILES): $(CODE)/%.sass: | device
	$(Q)mkdir -p $(@D); $(call write_code,$@,$(NVCC_FLAGS) $(defines) \
		-MMD -MP -MF $(@:.sass=.d) -MT $@ $($(KEY).file))
$(foreach f,$(CODE_FILES),$(eval $f: $($(call key,$(call this,$f)).file)))
$(if $(with_code),$(foreach p,$(WITH_HARNESS),$(eval $p: $(CODE)/$(call build_of,$p).sass)))
-include $(CODE_FILES:.sass=.d)

# A reference is skipped if the toolkit does not have its library. -Bsymbolic: its kernel may have the same name as a
# kernel of the program.
REFERENCE_OBJECTS := $(patsubst %,$(BUILD)/%.so,$(call buildable,$(REFERENCES)))
$(REFERENCE_OBJECTS): $(OBJ)/flags | device
	$(Q)if $(CXX) -shared -x c /dev/null -x none $($(KEY).links) $(CUDA_LIBS) -o $@.$$$$ 2>/dev/null; then rm -f $@.$$$$; \
		$(whole) $(OBJ)/$(KEY).o $(OBJ)/$(KEY).d -- \
			$(NVCC) $(call arch_flags,$($(KEY).arch)) $(NVCC_FLAGS) -Xcompiler -fPIC -MMD -MP -MF $(OBJ)/$(KEY).d -MT $@ \
			-c $($(KEY).file) -o $(OBJ)/$(KEY).o && \
		$(whole) $@ -- $(CXX) -shared -Wl,-Bsymbolic $(OBJ)/$(KEY).o $(OBJ)/$(KEY).info.o $($(KEY).links) \
			$(CUDA_LIBS) -o $@; \
	else echo "note: $(KEY) is skipped: this toolkit has no $($(KEY).links)"; fi

link_to = $(if $(call differ,$(realpath $1),$(realpath $@)),ln -sfn $1 $@.$$$$ && mv -f $@.$$$$ $@)
# ./stage3 links to the program that was built last.
$(WITH_HARNESS): $(REFERENCE_OBJECTS)
$(WITH_HARNESS) $(call buildable,$(DEMOS)):
	@$(call link_to,$(call program,$(call build_of,$@)))
$(filter-out $(call buildable,$(DEMOS) $(REFERENCES)),$(DEMOS) $(REFERENCES)):
	@$(info note: $@ is skipped: this device cannot run it)

# Stand-alone C programs: PROGRAMS of the week.
$(PROGRAMS): %: $(BUILD)/%
	@$(call link_to,$<)
$(PROGRAMS:%=$(BUILD)/%): $(BUILD)/%: %.c $(LIBRARY_OBJS) $(OBJ)/flags | device
	$(announce)
	$(Q)$(whole) $@ -- $(CC) $(C_FLAGS) $(CUDA_INC:%=-idirafter %) $< $(LIBRARY_OBJS) $(LDFLAGS) -lm -lpthread -o $@
.PHONY: $(PROGRAMS)

# A dependency file may name a .cu file that has been renamed.
%.cu: ;
-include $(patsubst %.o,%.d,$(WEEK_OBJS) $(SHARED_OBJS) $(GRADE_OBJS) $(CU_OBJS) $(INFO_OBJS)) \
	$(REFERENCES:%=$(OBJ)/%.d)

include $(SCRIPTS)/targets.mk

# A week may have exercises alone.
without_stages := $(if $(wildcard stage*_*.cu),,$(filter $(OF_STAGES),$(MAKECMDGOALS)))
$(if $(and $(active_here),$(without_stages)),$(error $(firstword $(without_stages)): this week has no stages; make \
	exercise lists its exercises))
