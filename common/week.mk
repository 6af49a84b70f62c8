# The make rules of a week. Its Makefile includes this file; what they work on is found by wildcard.
#
#   stageN_name.cu   the ladder           build/DEVICE/stageN, linked to as ./stageN
#   ref_name.cu      what to beat (GPU)   build/gpu/ref_name.so, which every stage's program loads
#   demo_name.cu     programs             build/DEVICE/demo_name, linked to as ./demo_name
#   name.c name.h    the problem          in every program, less what PROGRAMS names: C programs of their own, for which the week has a rule
#                                         the week's own header, NN_week/week.h, declares the function that each stage defines
#
# A build with knobs (make stage3 TILE=16) is a program of its own: build/gpu/stage3@TILE=16.

SHELL := /bin/sh
MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

COMMON  := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
SCRIPTS := $(COMMON)/make
WEEK    := $(lastword $(subst /, ,$(CURDIR)))
AWK     ?= awk

include $(SCRIPTS)/device.mk
BUILD := build/$(DEVICE)

include $(SCRIPTS)/find.mk

# --- flags ---

ifneq ($(filter undefined default,$(origin CXX)),)
CXX := g++
endif
ifneq ($(filter undefined default,$(origin CC)),)
CC := gcc
endif
CFLAGS ?= -O2 -g

# Of several headers the one that bears the week's name: reduction.h of 02_reduction.
HEADER       := $(firstword $(wildcard $(patsubst $(firstword $(subst _, ,$(WEEK)))_%,%.h,$(WEEK)) *.h))
WEEK_SRCS    := $(filter-out $(PROGRAMS:%=%.c),$(wildcard *.c))
HARNESS_SRCS := $(filter-out %/backend_gpu.c %/backend_cpu.c,$(wildcard $(COMMON)/harness/*.c)) $(COMMON)/harness/backend_$(DEVICE).c \
	$(wildcard $(COMMON)/table/*.c $(COMMON)/stage/*.c)
C_FLAGS      := -std=gnu11 -Wall -Wextra -I$(COMMON)/harness -I$(COMMON)/table -I$(COMMON)/stage $(CFLAGS)
LIBS         := -ldl -lm -lpthread

ifeq ($(DEVICE),gpu)
C_FLAGS      += -DCUDA_API_PER_THREAD_DEFAULT_STREAM $(CUDA_INC:%=-I%)
NVCC_FLAGS    = -std=c++17 -O3 -lineinfo --default-stream per-thread -Xcompiler -Wall -I. $(NVCCFLAGS)
CUDA_LIBS    := $(if $(CUDA_LIB),-L$(CUDA_LIB) -Wl$(comma)-rpath$(comma)$(CUDA_LIB)) -lcudart
LINK_FLAGS    = -rdynamic $(LDFLAGS) $(CUDA_LIBS) $(LIBS)
else
HARNESS_SRCS := $(filter-out %/tensormap.c,$(HARNESS_SRCS))
include $(COMMON)/emu/emu.mk
C_FLAGS      += $(EMU_CPPFLAGS)
LINK_FLAGS    = -rdynamic $(LDFLAGS) $(EMU_LDFLAGS) $(LIBS)
endif

# --- how things are built; V=1 shows the commands, make -s nothing ---

Q     := $(if $(V),,@)
quiet := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
say    = $(if $(V)$(quiet),,@printf '  %-5s %s\n' '$1' '$2')
deps   = -MMD -MP -MF $(@:.o=.d) -MT $@

OBJ          := $(BUILD)/obj
WEEK_OBJS    := $(WEEK_SRCS:%.c=$(OBJ)/%.o)
HARNESS_OBJS := $(HARNESS_SRCS:$(COMMON)/%.c=$(OBJ)/common/%.o)
EMU_OBJS     := $(if $(filter cpu,$(DEVICE)),$(EMU_SRCS:$(EMU_DIR)/%.cpp=$(OBJ)/emu/%.o))

program = $(BUILD)/$(call key,$1)

# Says which device, and checks for its compilers.
.PHONY: device force
force:
device:
ifneq ($(if $(quiet),,$(REASON)),)
	@echo '$(REASON)'
endif
ifeq ($(DEVICE),gpu)
	@[ -n '$(have_nvcc)' ] || { echo 'nvcc is not here: install the CUDA Toolkit (or take the CPU device: DEVICE=cpu)' >&2; exit 1; }
endif
	@for c in $(firstword $(CC)) $(firstword $(CXX)); do \
		command -v $$c >/dev/null || { echo "$$c is not here: apt-get install $${c#*/bin/}" >&2; exit 1; }; done
	@mkdir -p $(OBJ)/common/harness $(OBJ)/common/table $(OBJ)/common/stage $(OBJ)/emu

# What must not change without all being built anew.
flags = $(CC) $(C_FLAGS) | $(CXX) $(LINK_FLAGS) $(CXXFLAGS) | \
	$(if $(filter gpu,$(DEVICE)),$(NVCC) $(ARCH) $(NVCC_FLAGS),$(EMU_KERNEL_CXXFLAGS) | $(EMU_RUNTIME_CXXFLAGS))
# A file whose text is $1, written only when it says something else.
say_once = @printf '%s\n' $(call quoted,$1) | cmp -s - $@ || printf '%s\n' $(call quoted,$1) > $@
$(OBJ)/flags: force | device
	$(call say_once,$(flags))

$(WEEK_OBJS): $(OBJ)/%.o: %.c $(OBJ)/flags | device
	$(call say,$(notdir $(CC)),$<)
	$(Q)$(CC) $(C_FLAGS) $(deps) -c $< -o $@

$(HARNESS_OBJS): $(OBJ)/common/%.o: $(COMMON)/%.c $(OBJ)/flags | device
	$(call say,$(notdir $(CC)),$(notdir $<))
	$(Q)$(CC) $(C_FLAGS) $(deps) -c $< -o $@

$(EMU_OBJS): $(OBJ)/emu/%.o: $(EMU_DIR)/%.cpp $(OBJ)/flags | device
	$(call say,$(notdir $(CXX)),emu/$(notdir $<))
	$(Q)$(CXX) $(EMU_RUNTIME_CXXFLAGS) $(CXXFLAGS) $(deps) -c $< -o $@

# What all programs have in common, for who wants it built before.
.PHONY: shared
shared: $(WEEK_OBJS) $(HARNESS_OBJS) $(EMU_OBJS)

%.info.o: %.info.c $(COMMON)/harness/week.h $(OBJ)/flags
	$(Q)$(CC) $(C_FLAGS) -fPIC -c $< -o $@

# One object of a .cu file: $1 key, $2 file, $3 the object's name without .o, $4 "-DTILE=16".
ifeq ($(DEVICE),gpu)
define cu_object
$3.o: $2 $3.file $(OBJ)/flags | device
	$$(call say,nvcc,$(strip $2 $4))
	$(Q)$(NVCC) $(call arch_flags,$(call field,$1,3)) $(NVCC_FLAGS) $4 $$(deps) -c $$< -o $$@
endef
else
define cu_object
$3.cpp: $2 $3.file $(EMU_PASS) | device
	$(Q)$(AWK) -f $(EMU_PASS) $$< > $$@
$3.o: $3.cpp $(OBJ)/flags | device
	$$(call say,$(notdir $(CXX)),$(strip $2 $4))
	$(Q)$(CXX) $(EMU_KERNEL_CXXFLAGS) $(CXXFLAGS) -I. $4 $$(deps) -c $$< -o $$@
endef
endif

# Another file may take over a number, and be older than what was built.
define source_name
$3.file: force | device
	$$(call say_once,$2)
endef

define info_source
$3.info.c: $2 $3.file $(SCRIPTS)/info.awk | device
	$(Q)$(AWK) -v knobs='$(strip $(call set_of,$1))' -f $(SCRIPTS)/info.awk $$< > $$@
endef

# A stage that this device cannot run is linked without its object, the week's function being NULL: its program says so and exits 77.
link_without = -no-pie -Wl,--defsym=$(shell $(AWK) -v names=1 -f $(SCRIPTS)/prototype.awk $(HEADER) | head -n 1)=0

define stage_rules
.PHONY: $1
$1: $$(call program,$1) $(REF_KEYS)
	@ln -sfn $$< $$@
$$(call program,$1): $(if $(filter none,$(call field,$1,3)),,$3.o) $3.info.o $(WEEK_OBJS) $(HARNESS_OBJS) $(EMU_OBJS) | device
	$$(call say,link,$$@)
	$(Q)AWK=$(AWK) $(SCRIPTS)/link.sh $(HEADER) $2 $(CXX) $$(filter %.o,$$^) $(if $(filter none,$(call field,$1,3)),$(link_without)) \
		$(call links_of,$1) $(LINK_FLAGS) -o $$@
$(if $(filter none,$(call field,$1,3)),,$(call cu_object,$1,$2,$3,$4))
$(call source_name,$1,$2,$3)
$(call info_source,$1,$2,$3)
-include $3.d
endef
$(foreach s,$(ALL_STAGES),$(eval $(call stage_rules,$s,$(call field,$s,2),$(OBJ)/$(call file_key,$s),$(addprefix -D,$(call set_of,$s)))))

# The dependencies of what was built name a file that may have another name by now.
%.cu: ;

# -Bsymbolic: a reference's kernel may bear the name of one in the program.
define ref_rules
.PHONY: $1
$1: $(if $(filter none,$(call field,$1,3)),,$(BUILD)/$1.so)
$(BUILD)/$1.so: $2 $(OBJ)/$1.info.o $(OBJ)/flags | device
	$(Q)if $(CXX) -shared -x c /dev/null -x none $3 $(CUDA_LIBS) -o $$@.probe 2>/dev/null; then rm -f $$@.probe; \
		$(if $(V)$(quiet),,printf '  %-5s %s\n' nvcc $2;) \
		$(NVCC) $(call arch_flags,$(call field,$1,3)) $(NVCC_FLAGS) -Xcompiler -fPIC -MMD -MP -MF $(OBJ)/$1.d -MT $$@ -c $$< -o $(OBJ)/$1.o && \
		$(CXX) -shared -Wl,-Bsymbolic $(OBJ)/$1.o $(OBJ)/$1.info.o $3 $(CUDA_LIBS) -o $$@; \
	else echo "note: $1 is left out: the toolkit here has no $3"; fi
$(call source_name,$1,$2,$(OBJ)/$1)
$(call info_source,$1,$2,$(OBJ)/$1)
-include $(OBJ)/$1.d
endef
$(foreach r,$(REF_KEYS),$(eval $(call ref_rules,$r,$(call field,$r,2),$(call links_of,$r))))

define demo_rules
.PHONY: $1
ifeq ($(call field,$1,3),none)
$1:
	@echo 'note: $1 is left out: this device cannot run it'
else
$1: $$(call program,$1)
	@ln -sfn $$< $$@
$$(call program,$1): $3.o $(EMU_OBJS) | device
	$$(call say,link,$$@)
	$(Q)$(CXX) $$(filter %.o,$$^) $(call links_of,$1) $(LINK_FLAGS) -o $$@
$(call source_name,$1,$2,$3)
$(call cu_object,$1,$2,$3,$4)
-include $3.d
endif
endef
$(foreach d,$(DEMOS),$(eval $(call demo_rules,$d,$(call field,$d,2),$(OBJ)/$(call file_key,$d),$(addprefix -D,$(call set_of,$d)))))

-include $(WEEK_OBJS:.o=.d) $(HARNESS_OBJS:.o=.d) $(EMU_OBJS:.o=.d)

include $(SCRIPTS)/targets.mk
