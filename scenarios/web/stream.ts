import type { HttpResponse, Scenario } from "../../src/model/scenario.ts";
import { check, expectText, expectType, get } from "../expect.ts";
import { USUAL } from "../usual.ts";

const EVENTS = 100;
const request = get(`/stream?events=${EVENTS}`);

function expectEvents(response: HttpResponse, count: number): void {
  expectType(response, "text/event-stream");
  expectText(response, eventsText(count));
}

/**
 * Returns the text of events as the server sends it:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function eventsText(count: number): string {
  return Array.from({ length: count }, (_, i) => `data: ${i + 1}\n\n`).join("");
}

/** Events that the server writes one after the other. */
export const stream: Scenario = {
  ...USUAL,
  id: "stream",
  title: `${EVENTS} server-sent events`,
  request,
  checks: [
    check(`sends ${EVENTS} events`, request, (response) => expectEvents(response, EVENTS)),
    check(
      "sends the requested number of events",
      get("/stream?events=3"),
      (response) => expectEvents(response, 3),
    ),
  ],
  expect: (response) => expectEvents(response, EVENTS),
  each: { count: EVENTS, name: "events" },
  isDefault: false,
};
