#!/bin/sh
# keep.sh TABLE NAME: puts a table where the results of its device are, as results/<device>/NAME.tsv, and says where that is. DEVICE is gpu or cpu;
# which GPU it is, the table says.
table=$1 name=$2
folder=cpu
[ "$DEVICE" = cpu ] || folder=$(sed -n 's/^# device: //p' "$table" | head -n 1 | tr -cs 'A-Za-z0-9\n' _)
[ -n "$folder" ] || { echo "keep: $table does not say which device it is from" >&2; exit 1; }
mkdir -p "results/$folder" && mv "$table" "results/$folder/$name.tsv" && echo "results/$folder/$name.tsv"
