# The targets of a week. Timed runs never run in parallel, even with -j. A run that fails does not stop the others.

FORMAT ?= svg
NCU    ?= ncu
B      ?= 1
# The stage that stage B changes: the one in its line "// From: stage8", otherwise the previous one.
A      ?= $(or $(patsubst stage%,%,$(stage$B.from)),$(shell expr $(call quoted,$B) - 1 2>/dev/null))

# For recursive makes: this device, and this architecture unless it is only a default.
SETTLED := DEVICE=$(DEVICE) $(if $(filter default,$(ARCH_FROM)),,$(ARCH:%=ARCH=%))

# For recursive makes: of these programs, or with the knobs in their names. On all cores, unless -j was given.
SUBMAKE = $(MAKE) $(if $(quiet),-s) --no-print-directory $(SETTLED) STAGES= STAGE= KNOBS= $(all_cores)

# How `ladder` runs programs.
MACHINE = --device $(DEVICE) --ncu $(call quoted,$(NCU)) $(if $(RUN),--run $(call quoted,$(RUN))) \
	$(if $(filter command,$(origin STAGES)),--only $(call quoted,$(STAGES)))
# $(call ladder_runs,COMMAND,WORDS): builds the programs that this command of `ladder` runs, which it prints, and runs
# it. A build with knobs that fails does not stop the others: `ladder` finds no program. With make -n, only the first
# command, which has a +, is executed.
define ladder_runs
+@plain=$$($(LADDER) $1 $(MACHINE) --plan plain $2) && knobs=$$($(LADDER) $1 $(MACHINE) --plan knobs $2) && \
	{ [ -z "$$plain" ] || $(SUBMAKE) PLANNED="$$(echo $$plain)" planned; } && \
	{ [ -z "$$knobs" ] || $(SUBMAKE) -k PLANNED="$$(echo $$knobs)" planned >$(BUILD)/knobs.log 2>&1 || :; }
@$(if $(dry),: )$(LADDER) $1 $(MACHINE) $2
endef

# What a week without stages does not have.
OF_STAGES := list run code record-code check count claims shmoo knobs record drawn plots slides figures measurements \
	diff regs ptx sass sassdiff profile sanitize

# $(call stage_runs,OPTIONS): a line with the runs of every stage, with its knobs and these options.
stage_runs = $(foreach k,$(KNOBS),--set $(call quoted,$k=$(value $k))) $(BUILD)/$@.tsv -- \
	$(call quoted,$(STAGES) $1 $(ARGS))

programs = $(foreach s,$(STAGES),$(call program,$(call build_of,$s)))

.PHONY: all stages list run code record-code check count wrong claims shmoo knobs record plots slides figures \
	measurements diff new watch progress clean help

## stageN: build one stage and link ./stageN to it; with its knobs: make stage3 TILE=16
## exerciseN: build your exercise and link ./exerciseN to it
## demo_NAME: build one demonstration and link ./demo_NAME to it
all: $(STAGES) $(REFERENCES) $(DEMOS) $(PROGRAMS) ## build every stage, reference and demonstration
stages: $(STAGES)
list: ## list the stages, one per line: number, name, `core` if in the core ladder, lesson
	@$(LADDER) list $(foreach s,$(STAGES),$($s.file))
ifeq ($(quiet)$(MAKELEVEL),0)
	@echo '$(CORE_LEGEND)'
endif

## run: run every stage in order, then print the ladder as a table; ARGS="--size 2048 --hot" for other options,
##  COLUMN=regs for another column; FOR=h200: print the modeled time of every stage on that GPU
## code: with FOR=h200: write the machine code for the model of time, build/code
## record-code: with FOR=h200: write its short form into common/model/code, for those without nvcc
ifeq ($(FOR),)
run:
	$(call ladder_runs,measure,$(if $(BRIEF),--brief,--show $(call quoted,$(COLUMN))) $(call stage_runs,--bench))
code record-code:
	@echo '$@: FOR is missing: make $@ FOR=h200' >&2; exit 2
else
run:
	+@$(no_code)$(MAKE) --no-print-directory $(all_cores) stages
	@status=0; for p in $(programs); do ./$$p --for $(FOR) --bench $(ARGS); s=$$?; \
		case $$s in 0|77) ;; *) status=1 ;; esac; done; exit $$status
code_of = $(CODE)/$(call build_of,$1).sass
code: $(filter $(foreach s,$(STAGES),$(call code_of,$s)),$(CODE_FILES))
	@$(no_code):
RECORDED_CODE := $(COMMON)/model/code/$(FOR_ARCH)
record-code: $(filter-out $(CODE)/exercise%,$(CODE_FILES))
	@$(no_code)mkdir -p $(RECORDED_CODE)
	@$(foreach f,$^,[ ! -e $f ] || $(LADDER) machine-code $f $($(call key,$(call this,$f)).file) \
		>$(RECORDED_CODE)/$(WEEK)_$(notdir $f) || exit 1;) :
endif

check: ## check every stage at awkward sizes; STAGES="stage3 stage99": only these, also with nvcc where it is installed
	+@$(MAKE) --no-print-directory $(all_cores) stages
	@status=0; for p in $(programs); do \
		$(RUN) ./$$p --check $(ARGS) >$$p.log 2>&1; s=$$?; echo $$s >$$p.check; \
		case $$s in 0|77) tail -n 1 $$p.log ;; \
		*) status=1; cat $$p.log; echo "$$p: exit status $$s" ;; esac; \
	done; $(if $(nvcc_checks),for f in $(foreach s,$(STAGES),$($s.file)); do \
		if $(have_nvcc) $(call arch_flags,sm_90a) -std=c++17 -I. $(NVCCFLAGS) -c $$f -o $(OBJ)/nvcc.$$$$.o; \
		then echo "$$f: nvcc accepts it"; \
		else echo "$$f: nvcc refuses it"; status=1; fi; rm -f $(OBJ)/nvcc.$$$$.o; done;) exit $$status
# Without a GPU, nvcc compiles the stages that are named: make check STAGES=stage99. For all, that would take minutes.
nvcc_checks = $(and $(filter cpu,$(DEVICE)),$(have_nvcc),$(filter command,$(origin STAGES)))

ifeq ($(DEVICE),cpu)
count: ## count every stage's memory requests, on the CPU device
	$(call ladder_runs,measure,--show $(call quoted,$(COLUMN)) $(call stage_runs,--count))
else
count: ; @$(MAKE) --no-print-directory DEVICE=cpu RUN= count
endif

## lanes: draw which sectors and banks each lane of a warp accesses: make lanes STAGE=stage3; N=64 BLOCK=1,2 WARP=3
##  ACCESS=2 (second execution) LINE=40
## trace: draw what the warps of a block do, in order of execution: make trace STAGE=stage3; N=64 BLOCK=1,2 EVENTS=500
.PHONY: lanes trace
ifeq ($(DEVICE),cpu)
one_stage := $(if $(filter 1,$(words $(STAGE))),$(filter $(STAGE),$(WITH_HARNESS)))
one_build := $(foreach s,$(one_stage),$(call build_of,$s))
lanes trace: $(foreach b,$(one_build),$(call program,$b))
	@[ -n '$(one_stage)' ] || { echo $(call quoted,$@: STAGE=$(STAGE): expected a stage or exercise of this week:) \
		'$(WITH_HARNESS)' >&2; exit 2; }
	@N=$(call quoted,$N) BLOCK=$(call quoted,$(BLOCK)) WARP=$(call quoted,$(WARP)) ACCESS=$(call quoted,$(ACCESS)) \
		LINE=$(call quoted,$(LINE)) EVENTS=$(call quoted,$(EVENTS)) GNUPLOT=$(call quoted,$(GNUPLOT)) LADDER=$(LADDER) \
		$(SCRIPTS)/events.sh $@ '$(call program,$(one_build))' \
		$(call quoted,$(COMMON)/../plots/out/$(WEEK)_$@_$(notdir $(call program,$(one_build))).$(FORMAT)) \
		$(call quoted,$(FORMAT))
else
lanes trace: ; @$(MAKE) --no-print-directory DEVICE=cpu RUN= $@
endif

# Exit status 1 is the verdict, which is printed.
drawn_one = $(or $(STAGE),$(addprefix exercise,$N))
can_draw := $(if $(filter 1,$(words $(drawn_one))),$(filter $(drawn_one),$(WITH_HARNESS)))
.PHONY: draw
ifeq ($(DEVICE),cpu)
draw: $(foreach s,$(can_draw),$(call program,$(call build_of,$s))) ## draw, as text, which thread reads and writes which
##  element of your exercise: make draw N=1; of a stage: STAGE=stage3 ARGS="-n 4x6"
	@[ -n '$(can_draw)' ] || { echo $(call quoted,draw: $(or $(drawn_one),N is missing): expected the number of an) \
		'exercise whose file is here: make exercise N=1, then make draw N=1' >&2; exit 2; }
	@./$(call program,$(call build_of,$(can_draw))) --draw $(ARGS) || [ $$? = 1 ]
else
draw: ; @$(MAKE) --no-print-directory DEVICE=cpu RUN= $@
endif

# The status of the run is that of make: a wrong result is logged, too. A prediction may have any characters: it is
# passed in the environment.
log: export LADDER_PREDICT := $(value PREDICT)
log_one := $(if $(filter 1,$(words $(STAGE))),$(filter $(STAGE),$(WITH_HARNESS)))
.PHONY: log
log_program := $(foreach s,$(log_one),$(call program,$(call build_of,$s)))
log: $(log_program) ## run a stage and add a row to your work log, results/log.md: make log STAGE=stage3
##  PREDICT="4 sectors per request"; ARGS="--size 2048"
	@[ -n '$(log_one)' ] || { echo $(call quoted,log: STAGE=$(STAGE): expected a stage or exercise of this week:) \
		'$(WITH_HARNESS)' >&2; exit 2; }
	@[ -n "$$LADDER_PREDICT" ] || { echo 'log: PREDICT is missing: write down what you expect, then run:' \
		'make log STAGE=$(STAGE) PREDICT="4 sectors per request"' >&2; exit 2; }
	@mkdir -p results; rm -f $(BUILD)/log.tsv; $(RUN) ./$(log_program) --bench --tsv $(BUILD)/log.tsv $(ARGS); \
		status=$$?; $(LADDER) log $(BUILD)/log.tsv "$$LADDER_PREDICT" && exit $$status

wrong: ## check a kernel of tests/wrong, which has one fault, and print the report: make wrong NAME=no_barrier
	+@MAKE='$(SUBMAKE)' RUN='$(RUN)' $(SCRIPTS)/wrong.sh $(BUILD) $(call quoted,$(NAME))

claims: ## measure and judge the claims; exit 1 if one does not hold; ONLY=head: those in the heads of the stages
	$(call ladder_runs,claims,--measure $(BUILD)/claims.tsv -- $(foreach s,$(STAGES) $(REFERENCES),$($s.file)) \
		$(if $(ONLY),,$(wildcard claims)))

shmoo: ## sweep the sizes with every stage
	$(call ladder_runs,measure,$(call stage_runs,--shmoo))

knobs: ## sweep the knobs of a stage: make knobs STAGE=stage4 TILE=16,32,64 ROWS=2,4,8
	@[ -n '$(STAGE)' ] && [ -n '$(KNOBS)' ] || \
		{ echo 'knobs: expected STAGE and a knob: make knobs STAGE=stage4 TILE=16,32,64 ROWS=2,4,8' >&2; exit 2; }
	$(call ladder_runs,measure,--sweep --keep knobs $(call stage_runs,--bench))
knobs: private STAGES = $(STAGE)

record: ## measure the runs in `runs`, into plots/data/TO: make record TO=h200; only some: PARTS="ladder shmoo"
##  STAGES=stage8
	$(call ladder_runs,record,$(call quoted,$(TO)) $(PARTS))

# Other parts of `runs` are targets: their rows go to results/DEVICE/PART.tsv.
OTHER_PARTS := $(filter-out ladder shmoo counts knobs,$(ALL_PARTS))
.PHONY: $(OTHER_PARTS)
$(OTHER_PARTS):
	$(call ladder_runs,measure,--part $@ --keep $@ $(BUILD)/$@.tsv -- $(ARGS))

.PHONY: drawn
from = LADDER_FROM=$(call quoted,$(FROM)) LADDER_BESIDE=$(call quoted,$(BESIDE))
ifeq ($(FOR),)
drawn:
	@GNUPLOT=$(call quoted,$(GNUPLOT)) LADDER=$(LADDER) $(from) \
		$(SCRIPTS)/plots.sh $(WEEK) $(call quoted,$(FORMAT)) $(call quoted,$(COLUMN))
else
# nvcc compiles only stages whose machine code is not recorded. A stage that cannot be built is skipped.
drawn:
	+@$(SUBMAKE) -k FOR= PLANNED='$(STAGES)' planned || :
	+@uncoded=$$($(LADDER) modeled --for $(FOR) --uncoded $(STAGES)) && [ -z "$$uncoded" ] || \
		{ $(no_code)$(if $(missing_for_code),:,$(SUBMAKE) -k FOR=$(FOR) $$uncoded || :); }
	@$(LADDER) modeled --for $(FOR) $(STAGES)
	@GNUPLOT=$(call quoted,$(GNUPLOT)) LADDER=$(LADDER) LADDER_MODEL=$(FOR) \
		$(SCRIPTS)/plots.sh $(WEEK) $(call quoted,$(FORMAT))
endif
plots: drawn ## draw the figures and one page with them, plots/out/index.html, from this machine's results or the
##  recorded ones; FORMAT=svg|png|pdf FROM=h200 BESIDE=h200; FOR=h100: the modeled ladder and sweep of sizes
	@$(if $(filter svg png,$(FORMAT)),$(SCRIPTS)/gallery.sh,echo 'The figures are in plots/out.')

slides: $(LADDER) ## write the week's decks of slides, one per lecture, into plots/out/slides; FROM=h200 KEEP=folder
##  BESIDE=h100 TEMPLATE=file.pptx NOTES=yes REVEALJS=folder
	@GNUPLOT=$(call quoted,$(GNUPLOT)) LADDER=$(LADDER) $(from) \
		$(SCRIPTS)/slides.sh $(decks) $(WEEK)

figures: ## measure what the figures need on this machine, then draw them
	@status=0; $(MAKE) --no-print-directory measurements || status=1; $(MAKE) --no-print-directory plots || status=1; \
		exit $$status
measurements: ## measure what the figures need on this machine, into results/
	$(call ladder_runs,collect)

# Refuses A alone; B, or A, if there is no such stage; one stage twice. Without A, the stage before B may not exist.
both = $(if $(and $(filter file,$(origin B)),$(filter-out file,$(origin A))),$(call not_both,A=$A: B is missing)) \
	$(foreach v,B A,$(if $(and $(filter 1,$(words $($v))),$(stage$(strip $($v)).file)),,$(call not_both,\
	$(if $(filter A/file,$v/$(origin $v)),B=$B: stage$B has no stage before it,\
	$v=$($v): there is no such stage here; there are $(ALL_STAGES))))) \
	$(if $(filter $A,$B),$(call not_both,A=$A B=$B: this is one stage))
not_both = $(error $@: $(strip $1); expected$(comma) for example$(comma) make $@ A=2 B=3)
files = $(stage$A.file) $(stage$B.file)
diff: ## show the code that stage 3 changes: make diff B=3; of any two stages: make diff A=2 B=5; HEAD=1: all lines
	@$(strip $(both))$(if $(HEAD),diff -u $(files:%=--label %) $(files) || [ $$? = 1 ],printf '%s\n' \
		'--- $(stage$A.file)' '+++ $(stage$B.file)'; $(LADDER) code --changes --of $(files:%=./%))

new: ## add a stage, from the file of another one: make new N=15 NAME=mine FROM=3
	@$(LADDER) new $(call quoted,$N) $(call quoted,$(NAME)) $(call quoted,$(FROM))

watch: ## build a stage or exercise and check it quickly whenever its file is saved: make watch STAGE=stage15
	$(if $(dry),,+)@MAKE='$(SUBMAKE)' RUN='$(RUN)' $(SCRIPTS)/watch.sh $(call quoted,$(STAGE)) \
		$(call quoted,$(call build_of,$(STAGE))) $(call quoted,$(call program,$(call build_of,$(STAGE))))

progress: ## print what was built, checked and measured on this machine, one row per stage
	@$(if $(STAGES),$(LADDER) progress --device $(DEVICE) $(foreach s,$(STAGES),$($s.file)))
	@$(if $(filter command,$(origin STAGES)),:,$(if $(LADDER_EXERCISES)$(wildcard exercises/exercise*.cu),\
		$(if $(STAGES),echo;) $(LADDER) exercise list,:))

clean: ## remove what was built in this folder; keep results
	@rm -rf build
	@find . -maxdepth 1 -type l \( -name 'stage[0-9]*' -o -name 'exercise[0-9]*' -o -name 'demo_*' \
		$(PROGRAMS:%=-o -name '%') \) -delete

help: $(LADDER) ## print this text
	@$(LADDER) help

include $(SCRIPTS)/exercise.mk
include $(SCRIPTS)/tools.mk
