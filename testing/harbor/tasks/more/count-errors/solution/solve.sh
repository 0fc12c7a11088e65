#!/bin/bash
awk '$4 >= 500 { total++ } END { print total }' server.log > errors.txt
awk '$4 >= 500 { print $3 }' server.log | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }' > worst.txt
