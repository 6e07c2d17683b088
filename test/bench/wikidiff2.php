<?php
// Times wikidiff2 on pairs of texts, one JSON object {"from", "to"} a line on stdin; prints a JSON list of milliseconds.
$times = [];
while (($line = fgets(STDIN)) !== false) {
    $pair = json_decode($line);
    $start = hrtime(true);
    wikidiff2_inline_json_diff($pair->from, $pair->to, 2);
    $times[] = (hrtime(true) - $start) / 1e6;
}
echo json_encode($times);
