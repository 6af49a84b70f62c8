# The make rules of a week, whose Makefile includes this file. They find the week's files by wildcard.
#
#   stageN_name.cu   the ladder           build/DEVICE/stageN, linked to as ./stageN
#   ref_name.cu      a vendor's library   build/gpu/ref_name.so, which every stage's program loads
#   exerciseN_name.cu  a student's solution of an exercise, built like a stage; the masters are in exercises/
#   demo_name.cu     programs             build/DEVICE/demo_name, linked to as ./demo_name
#   name.c name.h    the problem          in every program; PROGRAMS names those that are stand-alone programs
#                                         the week's own header, NN_week/week.h, declares the function that each stage defines
#   runs             what `make record` measures, one run per line
#   claims           bounds that guard against regressions
#
# The dependencies between these files are in build/DEVICE/rules.mk, which `ladder rules` writes from the heads of the .cu files. A build with knobs
# (make stage3 TILE=16) is a separate program: build/gpu/stage3@TILE=16.

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

include $(SCRIPTS)/device.mk
include $(SCRIPTS)/tool.mk
include $(SCRIPTS)/flags.mk
include $(SCRIPTS)/goals.mk
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
INCLUDES  := -I$(COMMON)/harness -I$(COMMON)/base -I$(COMMON)/table -I$(COMMON)/stage
C_FLAGS   := -std=gnu11 -Wall -Wextra $(INCLUDES) $(CFLAGS)
LIBS      := -ldl -lm -lpthread
WEEK_SRCS := $(filter-out $(PROGRAMS:%=%.c),$(wildcard *.c))
SHARED_SRCS := $(filter-out %/backend_gpu.c %/backend_cpu.c,$(wildcard $(COMMON)/harness/*.c)) $(COMMON)/harness/backend_$(DEVICE).c $(wildcard $(COMMON)/stage/*.c)
# What the programs that grade have beside these.
GRADE_SRCS  := $(addprefix $(COMMON)/grade/,isolated.c isolated_time.c serve.c confine.c)
LIBRARY_SRCS  := $(wildcard $(COMMON)/base/*.c $(COMMON)/table/*.c)

# References run on all cores beside a GPU. Beside the CPU device they do not: its problems are small, and OpenMP's threads spin after each parallel
# region on the cores that the CPU device needs.
ifeq ($(DEVICE),gpu)
LIBS        += -fopenmp
C_FLAGS     += -fopenmp -DCUDA_API_PER_THREAD_DEFAULT_STREAM $(CUDA_INC:%=-I%)
NVCC_FLAGS   = -std=c++17 -O3 -lineinfo --default-stream per-thread -Xcompiler -Wall -I. $(NVCCFLAGS)
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

# --- knobs ---

of_the_top := $(filter run-file test readme gallery drawings,$(MAKECMDGOALS))
$(if $(of_the_top),$(error $(firstword $(of_the_top)): a target of the top folder; expected$(comma) for example$(comma) make -C .. $(firstword $(of_the_top))$(if $(filter run-file,$(of_the_top)), FILE=folder/program.cu)))

more    := $(if $(filter knobs,$(MAKECMDGOALS)),$(comma))
malformed = $(or $(filter-out 1,$(words $(value $1))),$(shell printf %s $(call quoted,$(value $1)) | tr -d 'A-Za-z0-9_.+$(more)-'))
$(foreach k,$(KNOBS),$(if $(call malformed,$k),$(error $k=$(value $k): a knob takes one word of letters, digits and _ . + -)))

# A stage's knobs that are set, in the order of its file: "TILE=16 ROWS=4"; as the suffix of a program's name: "@TILE=16,ROWS=4"; and as the suffix of
# a target's name, with "-" instead of "=", which make would read as an assignment.
given_knobs   = $(foreach k,$($1.knobs),$(if $(filter $k,$(KNOBS)),$k=$($k)))
knob_suffix   = $(addprefix @,$(subst $(space),$(comma),$(strip $(call given_knobs,$1))))
object_suffix = $(subst =,-,$(call knob_suffix,$1))

# --- rules.mk, which make builds first and then reads ---

# Refuses a stage or knob. In make's first pass rules.mk may be older than the stage's file: then it is read again before anything is refused.
refuse = $(if $(MAKE_RESTARTS),$(error $1),$(eval refused := $1))

active_here := $(filter-out help clean,$(or $(MAKECMDGOALS),all))
FOLDERS := $(OBJ) $(addprefix $(SHARED)/,harness base table stage grade)
ifneq ($(active_here),)
$(BUILD)/rules.mk: force $(LADDER)
	@$(if $(filter-out $(wildcard $(FOLDERS)),$(FOLDERS)),mkdir -p $(FOLDERS))
	@$(LADDER) rules --device $(DEVICE) --arch '$(ARCH)' $(if $(filter default,$(ARCH_FROM)),,--known) --archs '$(nvcc_archs)' --out $(BUILD)
	@$(if $(refused),touch $@)
include $(BUILD)/rules.mk
endif

STAGES ?= $(ALL_STAGES)
$(if $(filter-out head,$(ONLY)),$(call refuse,ONLY=$(ONLY): expected ONLY=head))
ifneq ($(filter-out $(ALL_STAGES),$(STAGES)),)
$(call refuse,STAGES: there is no $(firstword $(filter-out $(ALL_STAGES),$(STAGES))) here; there are $(ALL_STAGES))
endif

goals   := $(filter $(ALL_STAGES) $(ALL_EXERCISES) $(DEMOS),$(MAKECMDGOALS))
not_knobs = $(filter-out $($1.knobs),$(KNOBS))
$(foreach g,$(goals) $(STAGE),$(if $(call not_knobs,$g),$(call refuse,$g has no knob $(firstword $(call not_knobs,$g)); it has $(or $($g.knobs),none))))
of_no_stage := $(if $(goals)$(STAGE),,$(filter-out $(foreach s,$(STAGES) $(DEMOS),$($s.knobs)),$(KNOBS)))
$(if $(and $(of_no_stage),$(ALL_STAGES)),$(call refuse,no stage here has a knob $(firstword $(of_no_stage))))

# A goal that is no target. Make's own message would not name what exists.
hidden_targets := stages drawn device default_arch shared runtime for_grading force
lost := $(filter-out $(ALL_STAGES) $(ALL_EXERCISES) $(REFERENCES) $(DEMOS) $(PROGRAMS) $(ALL_PARTS) $(hidden_targets),$(goal_names))
lost := $(firstword $(if $(lost),$(filter-out $(call named_targets,Makefile $(SCRIPTS)/targets.mk $(SCRIPTS)/exercise.mk $(SCRIPTS)/tools.mk),$(lost))))
what_is_lost = $(or \
	$(if $(filter exercise% Exercise%,$(lost)),exercises are numbered; make exercise lists them$(comma) and make exercise N=1 writes the file of one to solve), \
	$(if $(filter stage% Stage% STAGE%,$(lost)),there is no such stage here; there are $(ALL_STAGES)), \
	$(if $(filter demo% ref%,$(lost)),there is no such program here; there are $(DEMOS) $(REFERENCES)), \
	there is no such target; make help lists them)
$(if $(lost),$(if $(active_here),$(call refuse,$(lost): $(strip $(what_is_lost)))))

# --- recipes; V=1 shows the commands, make -s nothing ---

Q     := $(if $(V),,@)
announce = $(if $(V)$(quiet),,@printf '  %-5s %s\n' '$1' '$2')
deps   = -MMD -MP -MF $(@:.o=.d) -MT $@
whole  = $(SCRIPTS)/whole.sh
object = $(whole) $@ $(@:.o=.d) --
keep_regs = $(SCRIPTS)/nvcc.sh $(@:.o=.regs)
WEEK_OBJS   := $(WEEK_SRCS:%.c=$(OBJ)/%.o)
LIBRARY_OBJS  := $(LIBRARY_SRCS:$(COMMON)/%.c=$(SHARED)/%.o)
GRADE_OBJS  := $(GRADE_SRCS:$(COMMON)/%.c=$(SHARED)/%.o)
SHARED_OBJS := $(SHARED_SRCS:$(COMMON)/%.c=$(SHARED)/%.o) $(LIBRARY_OBJS)

buildable      = $(foreach k,$1,$(if $(filter none,$($k.arch)),,$k))
program        = $(BUILD)/$1$(call knob_suffix,$1)
# Programs with the harness. The program that grades has the head in common/grade/stage_info.c.
WITH_HARNESS   := $(ALL_STAGES) $(ALL_EXERCISES)
STAGE_PROGRAMS := $(foreach s,$(WITH_HARNESS) grader,$(call program,$s))
DEMO_PROGRAMS  := $(foreach d,$(call buildable,$(DEMOS)),$(call program,$d))
cu_object      = $(OBJ)/$(basename $($1.file))$(call object_suffix,$1).o
CU_OBJS        := $(foreach k,$(call buildable,$(WITH_HARNESS) $(DEMOS)),$(call cu_object,$k))
# A week may set TWIN to a macro. Each stage is then built a second time with it, into the same program. The functions of that build have names
# that begin with twin_.
TWIN_OBJS      := $(if $(TWIN),$(foreach s,$(call buildable,$(ALL_STAGES)),$(patsubst %.o,%.twin.o,$(call cu_object,$s))))
INFO_OBJS      := $(OBJ)/grader.info.o $(foreach s,$(WITH_HARNESS),$(OBJ)/$s$(call object_suffix,$s).info.o) $(patsubst %,$(OBJ)/%.info.o,$(call buildable,$(REFERENCES)))

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
	$(call announce,$(notdir $(CC)),$<)
	$(Q)$(object) $(CC) $(C_FLAGS) $(deps) -c $< -o $@

$(SHARED_OBJS) $(GRADE_OBJS): $(SHARED)/%.o: $(COMMON)/%.c $(SHARED)/flags | device
	$(call announce,$(notdir $(CC)),$(notdir $<))
	$(Q)$(object) $(CC) $(C_FLAGS) $(deps) -c $< -o $@

$(EMU_OBJS): | device

# For targets that build first what all programs share.
.PHONY: shared runtime
runtime: $(SHARED_OBJS) $(EMU_OBJS) $(EMU_PASS)
shared: runtime $(WEEK_OBJS)

# Below, KEY is what rules.mk sets for each target: stage3, ref_cublas or demo_timing.
defines = $(addprefix -D,$(call given_knobs,$(KEY)))

# stage_info: `ladder rules` writes its source; a build with knobs has its own object.
$(INFO_OBJS): $(OBJ)/flags
	$(Q)$(object) $(CC) $(C_FLAGS) -fPIC -DKNOBS='"$(strip $(call given_knobs,$(KEY)))"' $(deps) -c $(filter %info.c,$^) -o $@

of_twin = $(if $(filter %.twin.o %.twin.ii,$@),-D$(TWIN))
as_twin = $(if $(filter %.twin.o,$@),$(SCRIPTS)/twin.sh)
ifeq ($(DEVICE),gpu)
$(CU_OBJS) $(TWIN_OBJS): $(OBJ)/flags | device
	$(call announce,nvcc,$(strip $($(KEY).file) $(defines) $(of_twin)))
	$(Q)$(object) $(as_twin) $(keep_regs) $(NVCC) $(call arch_flags,$($(KEY).arch)) --resource-usage $(NVCC_FLAGS) $(defines) $(of_twin) $(deps) -c $($(KEY).file) -o $@
else
$(patsubst %.o,%.ii,$(CU_OBJS) $(TWIN_OBJS)): %.ii: $(EMU_PASS) $(OBJ)/flags | device
	$(call announce,$(notdir $(CXX)),$(strip $($(KEY).file) $(defines) $(of_twin)))
	$(Q)i=$*.$$$$.i; $(whole) $*.d -- \
		$(CXX) $(EMU_PREPROCESS_FLAGS) $(CXXFLAGS) -I. $(defines) $(of_twin) -MMD -MP -MF $*.d -MT $@ $(filter %.cu,$^) -o $$i && \
		$(EMU_PASS) $$i $(EMU_DEVICE_VIEW) $(CXXFLAGS) -I. $(defines) $(of_twin) $(filter %.cu,$^) > $${i}i && mv -f $${i}i $@; status=$$?; rm -f $$i $${i}i; exit $$status
$(CU_OBJS) $(TWIN_OBJS): %.o: %.ii
	$(Q)t=$@.$$$$.tree; $(whole) $@ -- $(as_twin) $(CXX) $(EMU_COMPILE_FLAGS) $(CXXFLAGS) $(EMU_LAST_FLAGS) -fdump-tree-optimized-lineno-uid=$$t -c $< -o $@ && \
		if [ -e $$t ]; then $(LADDER) values $$t $<; fi; status=$$?; rm -f $$t; exit $$status
endif

# A stage that this device cannot run is linked with NULL as the week's function. Its program reports that and exits 77.
without_stage = $(if $(filter none,$($(KEY).arch)),-no-pie -Wl$(comma)--defsym=$(ENTRY)=0)
$(STAGE_PROGRAMS): $(WEEK_OBJS) $(SHARED_OBJS) $(EMU_OBJS) | device
	$(call announce,link,$@)
	$(Q)$(SCRIPTS)/link.sh '$($(KEY).file)' '$(ENTRY)' \
		$(whole) $@ -- $(CXX) $(filter %.o,$^) $(without_stage) $($(KEY).links) $(LINK_FLAGS) -o $@
$(DEMO_PROGRAMS): $(filter-out %/main.o,$(SHARED_OBJS)) $(EMU_OBJS) | device
	$(call announce,link,$@)
	$(Q)$(whole) $@ -- $(CXX) $(filter %.o,$^) $($(KEY).links) $(LINK_FLAGS) -o $@

# A reference is skipped if the toolkit does not have its library. -Bsymbolic: its kernel may have the same name as a kernel of the program.
REFERENCE_OBJECTS := $(patsubst %,$(BUILD)/%.so,$(call buildable,$(REFERENCES)))
$(REFERENCE_OBJECTS): $(OBJ)/flags | device
	$(Q)if $(CXX) -shared -x c /dev/null -x none $($(KEY).links) $(CUDA_LIBS) -o $@.$$$$ 2>/dev/null; then rm -f $@.$$$$; \
		$(if $(V)$(quiet),,printf '  %-5s %s\n' nvcc $($(KEY).file);) \
		$(whole) $(OBJ)/$(KEY).o $(OBJ)/$(KEY).d -- \
			$(NVCC) $(call arch_flags,$($(KEY).arch)) $(NVCC_FLAGS) -Xcompiler -fPIC -MMD -MP -MF $(OBJ)/$(KEY).d -MT $@ \
			-c $($(KEY).file) -o $(OBJ)/$(KEY).o && \
		$(whole) $@ -- $(CXX) -shared -Wl,-Bsymbolic $(OBJ)/$(KEY).o $(OBJ)/$(KEY).info.o $($(KEY).links) $(CUDA_LIBS) -o $@; \
	else echo "note: $(KEY) is skipped: this toolkit has no $($(KEY).links)"; fi

link_to = $(if $(call differ,$(realpath $1),$(realpath $@)),ln -sfn $1 $@.$$$$ && mv -f $@.$$$$ $@)
# ./stage3 links to the program that was built last.
$(WITH_HARNESS): $(REFERENCE_OBJECTS)
$(WITH_HARNESS) $(call buildable,$(DEMOS)):
	@$(call link_to,$(call program,$@))
$(filter-out $(call buildable,$(DEMOS) $(REFERENCES)),$(DEMOS) $(REFERENCES)):
	@$(info note: $@ is skipped: this device cannot run it)

# Stand-alone C programs: PROGRAMS of the week.
$(PROGRAMS): %: $(BUILD)/%
	@$(call link_to,$<)
$(PROGRAMS:%=$(BUILD)/%): $(BUILD)/%: %.c $(LIBRARY_OBJS) $(OBJ)/flags | device
	$(call announce,$(notdir $(CC)),$<)
	$(Q)$(whole) $@ -- $(CC) $(C_FLAGS) $(CUDA_INC:%=-idirafter %) $< $(LIBRARY_OBJS) $(LDFLAGS) -lm -lpthread -o $@
.PHONY: $(PROGRAMS)

# A dependency file may name a .cu file that has been renamed.
%.cu: ;
-include $(WEEK_OBJS:.o=.d) $(SHARED_OBJS:.o=.d) $(GRADE_OBJS:.o=.d)

include $(SCRIPTS)/targets.mk
