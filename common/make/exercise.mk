# Exercises: `ladder exercise` has the logic. A student's exerciseN_NAME.cu is built like a stage, and is no part of the ladder. For grading, two
# programs are built: `grader`, which is the harness without a stage, and a program per submission, which the grader runs in a process of its own.
#
# EXERCISES=folder selects the masters of another folder than `exercises`; `ladder` gets it as LADDER_EXERCISES (tool.mk).
#
#   build/DEVICE/obj/KEY.cu   the copy of a submission, which `ladder exercise grade` makes; SUBMISSION=KEY
#   build/DEVICE/KEY          its program

.PHONY: exercise new-exercise hint solution grade for_grading

need_number = $(if $N,,echo '$@: expected the number of an exercise: make $@ N=1' >&2; exit 2;)
with_number = @$(need_number) $(LADDER) exercise

exercise: ## list the exercises: number, name, points, state, idea; with N=1, write exercise1_NAME.cu into this folder; EXERCISES=folder: private ones
	@$(LADDER) exercise $(if $N,write $(call quoted,$N),list)
hint: ## print the next of the three hints of an exercise: make hint N=1; one that was printed before: HINT=1
	$(with_number) hint $(call quoted,$N) $(if $(HINT),--again $(call quoted,$(HINT)))
solution: ## print the solution of an exercise: make solution N=1
	$(with_number) solution $(call quoted,$N)
new-exercise: ## add an exercise, from the code of stage 1 or FROM: make new-exercise N=8 NAME=mine FROM=3 EXERCISES=folder
	@LADDER_ENTRY=$(ENTRY) $(LADDER) exercise new $(call quoted,$N) $(call quoted,$(NAME)) $(call quoted,$(or $(FROM),1))

grader.arch := none
$(OBJ)/grader.info.o: $(COMMON)/harness/grader/stage_info.c
-include $(OBJ)/grader.info.d
ifneq ($(GRADER),)
$(BUILD)/grader: $(OBJ)/grader.info.o
$(BUILD)/grader: private KEY := grader
endif

ifneq ($(SUBMISSION),)
$(SUBMISSION).file := $(OBJ)/$(SUBMISSION).cu
$(SUBMISSION).arch := $(if $(filter gpu,$(DEVICE)),$(ARCH),cpu)
$(BUILD)/$(SUBMISSION): $(OBJ)/$(SUBMISSION).o $(OBJ)/grader.info.o
$(OBJ)/$(SUBMISSION)$(FROM_CU): $($(SUBMISSION).file)
$(BUILD)/$(SUBMISSION) $(OBJ)/$(SUBMISSION).o $(OBJ)/$(SUBMISSION)$(FROM_CU): private KEY := $(SUBMISSION)
endif

for_grading: $(SHARED_OBJS) $(WEEK_OBJS) $(EMU_OBJS) $(OBJ)/grader.info.o $(GRADER:%=$(BUILD)/%) $(REFERENCE_OBJECTS)

# The grader and the submissions are always graded on the CPU device; with a GPU, on that, too.
grade: ## grade your exercise: make grade N=1; every .cu file of a folder: FROM=folder OUT=points.tsv; SECONDS=20: limit of CPU time
	@$(need_number)
	+@$(GRADE_MAKE) DEVICE=cpu RUN= for_grading
ifeq ($(DEVICE),gpu)
	+@$(GRADE_MAKE) $(SETTLED) for_grading
endif
	@LADDER_MAKE_CPU='$(GRADE_MAKE) DEVICE=cpu RUN=' LADDER_MAKE_GPU='$(if $(filter gpu,$(DEVICE)),$(GRADE_MAKE) $(SETTLED))' LADDER_ENTRY=$(ENTRY) \
		$(LADDER) exercise grade $(call quoted,$N) $(if $(FROM),--from $(call quoted,$(FROM))) $(if $(OUT),--out $(call quoted,$(OUT))) \
		$(if $(SECONDS),--seconds $(call quoted,$(SECONDS)))
GRADE_MAKE := $(MAKE) -s --no-print-directory N= FROM= OUT= SECONDS=

