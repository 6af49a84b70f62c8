# What demo_vecadd.cu does: memories of the host and of the device, copies, a launch.
TITLE = "Copy to the device, launch, copy back"
H = 6.4
load "drawing.gp"

top = 1.3; tall = 4.7
eval box(0.5, top, 4.6, tall, WHITE).text(2.8, top + 0.4, "host: CPU")
eval box(10.0, top, 5.5, tall, WHITE).text(12.75, top + 0.4, "device: GPU")
eval cell(0.9, top + 2.8, 3.8, 1.5, PALE_BLUE, "host memory: a, b, c")
eval cell(10.4, top + 2.8, 4.7, 1.5, SKY, "device memory: a, b, c")
do for [sm = 0:3] { eval cell(10.4 + 1.2 * sm, top + 0.9, 1.1, 0.8, ORANGE, "SM ".sm) }
eval cell(0.9, top + 0.9, 3.8, 0.8, PALE_ORANGE, "program")
eval arrow(4.75, top + 1.3, 10.3, top + 1.3, DARK).text(7.55, top + 1.0, "2  kernel<<<...>>>")
eval arrow(4.75, top + 3.2, 10.3, top + 3.2, BLUE).text(7.55, top + 2.9, "1  cudaMemcpy: a, b")
eval arrow(10.3, top + 4.0, 4.75, top + 4.0, VERMILION).text(7.55, top + 4.35, "3  cudaMemcpy: c")
eval arrow(12.5, top + 1.75, 12.5, top + 2.75, DARK).arrow(13.0, top + 2.75, 13.0, top + 1.75, DARK)
load "page.gp"
