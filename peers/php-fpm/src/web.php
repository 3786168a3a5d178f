<?php

declare(strict_types=1);

function upload(): void
{
    $body = file_get_contents('php://input');
    sendJson(['bytes' => strlen($body), 'sha256' => hash('sha256', $body)]);
}

function stream(): void
{
    $events = parameter('events', 1, 10_000, 100);
    $ms = parameter('ms', 0, 1000, 0);
    header('Content-Type: text/event-stream');
    header('X-Accel-Buffering: no'); // nginx then passes each event on
    ob_end_flush(); // or events would wait in the buffer
    for ($event = 1; $event <= $events; $event++) {
        if ($ms > 0 && $event > 1) {
            usleep($ms * 1000);
        }
        echo "data: $event\n\n";
        flush();
    }
}
