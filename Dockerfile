# The course on the CPU device, for Windows and macOS. In the folder of the course:
#
#   docker build -t ladder .
#   docker run --rm -it -v "${PWD}:/ladder" ladder
#
# To grade a folder of submissions without network (docs/using.md):
#
#   docker run --rm --network none --user "$(id -u)" -v "$PWD:/ladder" -v "$HOME/submissions:/submissions:ro" ladder \
#       make -C 01_transpose DEVICE=cpu grade N=1 FROM=/submissions OUT=points.tsv
#
# The image has the tools. The course itself is the mounted folder, so edits and results stay on the host.
FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends make g++ gnuplot-nox perl
WORKDIR /ladder
CMD ["bash"]
