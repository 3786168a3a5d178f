/** The other thread of a distance meter. It answers from the processor that it is asked to use. */
/// <reference lib="deno.worker" />

import { keepOn } from "../../process/scheduling.ts";
import { BALLS, CELLS, END, OVER } from "./distance.ts";

self.onmessage = ({ data: cells }: MessageEvent<Int32Array<SharedArrayBuffer>>): void => {
  let own: number | null = null;
  for (let job = 0;;) {
    Atomics.wait(cells, CELLS.job, job);
    job = Atomics.load(cells, CELLS.job);
    if (job === END) return;
    const processor = Atomics.load(cells, CELLS.processor);
    if (processor === own || keepOn(0, processor)) {
      own = processor;
      wakeInTurn(cells);
      play(cells, job);
    } else {
      Atomics.store(cells, CELLS.refused, job);
    }
  }
};

/** Wakes the other side whenever it is woken, until that is over. */
function wakeInTurn(cells: Int32Array<SharedArrayBuffer>): void {
  for (;;) {
    const turn = Atomics.load(cells, CELLS.turn);
    if (turn === OVER) return;
    if (turn % 2 === 0) {
      Atomics.wait(cells, CELLS.turn, turn);
    } else {
      // The other side may have given up meanwhile
      Atomics.compareExchange(cells, CELLS.turn, turn, turn + 1);
      Atomics.notify(cells, CELLS.turn);
    }
  }
}

/** Sends each ball of a job back, until there is another one. */
function play(cells: Int32Array<SharedArrayBuffer>, job: number): void {
  for (;;) {
    const ball = Atomics.load(cells, CELLS.ball);
    if (Math.floor(ball / BALLS) !== job) return;
    // Odd balls come from the other side, which may have given up meanwhile
    if (ball % 2 === 1) Atomics.compareExchange(cells, CELLS.ball, ball, ball + 1);
  }
}
