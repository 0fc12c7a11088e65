#!/bin/bash
mkdir -p -- "$2"
find "$1" -maxdepth 1 -type f -exec cp -t "$2" -- {} +
