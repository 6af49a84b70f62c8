# A launch returns at once: what a host's clock measures, and what events measure. Week 1, part 4.
TITLE = "The host's clock stops before the kernels have run"
H = 6.0
load "drawing.gp"

x = 2.2; h = 0.7; launch = 0.55; kernel = 2.7; calls = 4
to(t) = x + t
eval left(0.4, 2.15, "host").left(0.4, 3.55, "stream")
do for [c = 0:calls - 1] {
    eval cell(to(0.4 + c * launch), 1.8, launch, h, PALE_ORANGE, sprintf("%d", c))
    eval cell(to(1.0 + c * kernel), 3.2, kernel, h, SKY, sprintf("kernel %d", c))
}
eval arrow(to(0.4 + 0.5 * launch), 2.5, to(1.0), 3.18, DARK)
end = 0.4 + calls * launch
eval bracket(to(0.4), to(end), 1.65, -1, "clock of the host: launches")
eval cell(to(end), 1.8, 1.0 + calls * kernel - end, h, PALE, "cudaEventSynchronize: the host waits")
eval cell(to(0.78), 3.2, 0.2, h, ORANGE, "").cell(to(1.02 + calls * kernel), 3.2, 0.2, h, ORANGE, "")
eval bracket(to(0.9), to(1.1 + calls * kernel), 4.15, 1, "between two events: four kernels")
eval arrow(x, 5.1, to(12.8), 5.1, DARK).note(to(6.4), 5.45, "time")
load "page.gp"
