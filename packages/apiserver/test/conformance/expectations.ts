import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { Answer } from "./api.ts";

export interface ExpectedStatus {
  readonly reason?: string;
  readonly details?: { readonly name?: string; readonly group?: string; readonly kind?: string };
  /** The exact set of causes: `reason field`. Upstream repeats some. */
  readonly causes?: readonly string[];
  /** Causes that must be among them. */
  readonly someCauses?: readonly string[];
  readonly message?: string | RegExp;
}

/** Checks a failure: code, reason, details and causes; texts only where asked. */
export const expectStatus = (answer: Answer, code: number, expected: ExpectedStatus = {}): void => {
  expect(answer.code, answer.text.slice(0, 600)).toBe(code);
  const status = answer.body;
  expect(status, answer.text.slice(0, 600)).toMatchObject({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    code,
  });
  if (expected.reason !== undefined) {
    expect(status.reason).toBe(expected.reason);
  }
  if (expected.details !== undefined) {
    expect(status.details).toMatchObject(expected.details);
  }
  const causes = new Set(
    ((status.details?.causes ?? []) as { reason?: string; field?: string }[]).map(({ reason, field }) =>
      `${reason ?? ""} ${field ?? ""}`.trim(),
    ),
  );
  if (expected.causes !== undefined) {
    expect(causes, status.message).toEqual(new Set(expected.causes));
  }
  if (expected.someCauses !== undefined) {
    expect([...causes], status.message).toEqual(expect.arrayContaining([...expected.someCauses]));
  }
  if (expected.message !== undefined) {
    expect(status.message).toMatch(expected.message);
  }
};

export const expectCode = (answer: Answer, code: number): void => {
  expect(answer.code, answer.text.slice(0, 600)).toBe(code);
};

/** The 404 of paths that are not API. */
export const expectPageNotFound = (answer: Answer): void => {
  expect(answer.code, answer.text.slice(0, 300)).toBe(404);
  expect(answer.headers["content-type"]).toContain("text/plain");
  expect(answer.text.trim()).toBe("404 page not found");
};

/** Asks again until the check passes or the time is over, a little before that of a test is; for what controllers do by themselves. */
export const eventually = async (check: () => Promise<void>, withinMs = 50_000): Promise<void> => {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > end) {
        throw error;
      }
      await pause(5);
    }
  }
};
