<?php

declare(strict_types=1);

function text(): void
{
    header('Content-Type: text/plain;charset=UTF-8');
    echo 'Hello world';
}

function plaintext(): void
{
    header('Content-Type: text/plain');
    echo 'Hello, World!';
}

function greet(): void
{
    $now = new DateTimeImmutable('now', new DateTimeZone('UTC'));
    sendJson(['message' => 'Hello world', 'ts' => $now->format('Y-m-d\TH:i:s.up')]);
}
