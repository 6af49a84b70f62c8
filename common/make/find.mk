# What is in a week's folder, and what this make was told to do with it. Sets ALL_STAGES, STAGES, REF_KEYS, DEMOS and the knobs.

# HEADS has one word for each .cu file, as heads.awk prints it: stage3|stage3_noconflict.cu|sm_90|TILE,ROWS|-lcublas
field    = $(word $2,$(subst |, ,$(filter $1|%,$(HEADS))))
listed   = $(subst $(comma), ,$(filter-out -,$(call field,$1,$2)))
links_of = $(call listed,$1,5)
HEADS   := $(shell set -- stage[0-9]*_*.cu ref_*.cu demo_*.cu; for f; do shift; [ -f "$$f" ] && set -- "$$@" "$$f"; done; \
	[ $$\# = 0 ] || $(AWK) -f $(SCRIPTS)/heads.awk -v device=$(DEVICE) -v arch=$(ARCH) -v known=$(ARCH_FROM:default=) \
	-v archs='$(nvcc_archs)' "$$@" | sort -V)

ifneq ($(filter !%,$(HEADS)),)
$(error $(patsubst !%,%,$(firstword $(filter !%,$(HEADS)))): a stage's file is called stageNUMBER_name.cu, with letters, digits and _ in the name)
endif

keys       := $(foreach h,$(HEADS),$(firstword $(subst |, ,$h)))
ALL_STAGES := $(filter stage%,$(keys))
REF_KEYS   := $(if $(filter gpu,$(DEVICE)),$(filter ref_%,$(keys)))
DEMOS      := $(filter demo_%,$(keys))

twice := $(firstword $(foreach k,$(ALL_STAGES),$(if $(word 2,$(filter $k|%,$(HEADS))),$k)))
ifneq ($(twice),)
$(error two files claim $(twice): $(foreach h,$(filter $(twice)|%,$(HEADS)),$(word 2,$(subst |, ,$h))))
endif

STAGES ?= $(ALL_STAGES)
ifneq ($(filter-out $(ALL_STAGES),$(STAGES)),)
$(error STAGES: there is no $(firstword $(filter-out $(ALL_STAGES),$(STAGES))) here; there are $(ALL_STAGES))
endif

# --- knobs: what was set on the command line and is no setting of these rules, nor one of the week's (WEEK_SETTINGS) ---

SETTINGS := $(WEEK_SETTINGS) DEVICE ARCH RUN STAGES STAGE A B X Y TO PARTS ARGS FORMAT V PROFILE_SIZE TESTS \
	CUDA_HOME NVCC NVCCFLAGS CC CFLAGS CXX CXXFLAGS LDFLAGS AWK GNUPLOT NCU SANITIZER PROVE
KNOBS    := $(filter-out $(SETTINGS) MAKEOVERRIDES MAKEFLAGS -%,$(foreach v,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $v))),$v)))

knobs_of = $(call listed,$1,4)
# What a stage's build is told, in the order of its file: "TILE=16 ROWS=4".
set_of   = $(foreach k,$(call knobs_of,$1),$(if $(filter $k,$(KNOBS)),$k=$($k)))
space   := $(subst ,, )
key      = $1$(addprefix @,$(subst $(space),$(comma),$(strip $(call set_of,$1))))
# The same for names of targets, where make takes a "=" for an assignment.
file_key = $(subst =,-,$(call key,$1))

goals   := $(filter $(ALL_STAGES) $(DEMOS),$(MAKECMDGOALS))
unknown  = $(filter-out $(call knobs_of,$1),$(KNOBS))
$(foreach g,$(goals),$(if $(call unknown,$g),$(error $g has no knob $(firstword $(call unknown,$g)); it has $(or $(call knobs_of,$g),none))))
nowhere := $(if $(goals),,$(filter-out $(foreach s,$(STAGES) $(DEMOS),$(call knobs_of,$s)),$(KNOBS)))
$(if $(nowhere),$(error no stage here has a knob $(firstword $(nowhere))))
quoted   = '$(subst ','\'',$1)'
odd      = $(or $(filter-out 1,$(words $(value $1))),$(shell printf %s $(call quoted,$(value $1)) | tr -d 'A-Za-z0-9_.+-'))
$(foreach k,$(KNOBS),$(if $(call odd,$k),$(error $k=$(value $k): a knob takes one word of letters, digits and _ . + -)))
