#!/bin/bash
mkdir -p $2
for file in $(ls $1); do
    [ -f $1/$file ] && cp $1/$file $2
done
