<?php

declare(strict_types=1);

/** Why a request gets an error; its code is the status. */
class Refused extends Exception
{
    public function __construct(int $status, string $reason)
    {
        parent::__construct($reason, $status);
    }
}

function sendJson(mixed $value): void
{
    header('Content-Type: application/json');
    echo json_encode($value, JSON_THROW_ON_ERROR);
}

/** Returns a parameter that is a whole number, or `$fallback` without it. Throws `Refused`. */
function parameter(string $name, int $low, int $high, int $fallback): int
{
    if (!isset($_GET[$name])) {
        return $fallback;
    }
    $range = ['options' => ['min_range' => $low, 'max_range' => $high]];
    $value = filter_var($_GET[$name], FILTER_VALIDATE_INT, $range);
    return $value === false ? throw new Refused(400, "bad $name") : $value;
}
