# For scripts that read it. take_turns FOLDER: until this script ends, others that call it wait before they write into
# the folder. Without flock, none waits.
take_turns() { ! command -v flock >/dev/null || { exec 9<"$1" && flock 9; }; }
