i=0
while [ $i -lt 2000 ]; do
    i=$((i + 1))
    status=$((200 + 100 * (i * 7919 % 4)))
    [ $((i % 13)) -eq 0 ] && status=$((500 + i % 4))
    echo "12:00:$((i % 60)) 10.0.0.$((i % 250)) /page$((i * 31 % 17)) $status"
done
