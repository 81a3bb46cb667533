import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseFaults } from "./fault-script.ts";

describe("parseFaults", () => {
  it.each([
    [
      "POST /linode/instances 503 x3",
      { method: "POST", path: "/linode/instances", times: 3, action: { kind: "status", status: 503 } },
    ],
    [
      "GET /servers/* 409 Conflict",
      { method: "GET", path: "/servers/*", action: { kind: "status", status: 409, code: "Conflict" } },
    ],
    [
      "DELETE /servers/* lost-answer @2",
      { method: "DELETE", path: "/servers/*", nth: 2, action: { kind: "lost-answer" } },
    ],
    ["* * reset", { action: { kind: "reset" } }],
    ["* ** delay 250ms x*", { path: "**", times: Number.POSITIVE_INFINITY, action: { kind: "delay", ms: 250 } }],
    ["GET a delay 5s", { method: "GET", path: "a", action: { kind: "delay", ms: 5000 } }],
    ["GET a delay 2m", { method: "GET", path: "a", action: { kind: "delay", ms: 120_000 } }],
    ["GET a html", { method: "GET", path: "a", action: { kind: "html" } }],
    ["GET a html 504", { method: "GET", path: "a", action: { kind: "html", status: 504 } }],
    ["GET a truncated x2 @3", { method: "GET", path: "a", nth: 3, times: 2, action: { kind: "truncated" } }],
    ["GET a truncated 10", { method: "GET", path: "a", action: { kind: "truncated", bytes: 10 } }],
    ["PUT a operation-failed Quota", { method: "PUT", path: "a", action: { kind: "operation-failed", code: "Quota" } }],
    [
      'POST a other-answer {"id":"abc"}',
      { method: "POST", path: "a", action: { kind: "other-answer", body: '{"id":"abc"}' } },
    ],
    ["PUT a operation-vanishes", { method: "PUT", path: "a", action: { kind: "operation-vanishes" } }],
  ])("reads %s", (line, fault) => {
    expect(parseFaults(line)).toEqual([fault]);
  });

  it("reads lines and what stands between semicolons, without comments", () => {
    const script = "# first\nGET a 500; GET b 501\n\n  GET c 502  \n";
    expect(parseFaults(script).map(({ path }) => path)).toEqual(["a", "b", "c"]);
    expect(parseFaults("")).toEqual([]);
  });

  it("reads the example of the README", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const [, script = ""] = /## Faults[\s\S]*?```\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(parseFaults(script).map(({ action: { kind } }) => kind)).toEqual(["status", "lost-answer", "delay"]);
  });

  it.each([
    ["FETCH a 500", "FETCH is not a method"],
    ["GET", "names no path"],
    ["GET a", "it has no action"],
    ["GET a explode", "explode is neither a status nor an action"],
    ["GET a 700", "700 is neither a status nor an action"],
    ["GET a delay", "delay takes a duration"],
    ["GET a delay 5", "delay takes a duration"],
    ["GET a delay -5s", "delay takes a duration"],
    ["GET a html 5", "5 is not a status"],
    ["GET a reset now", "now is not a part of it"],
    ["GET a 500 Oh dear", "goes on with dear"],
    ["GET a 500 x0", "counted from 1"],
    ["GET a 500 @*", "counted from 1"],
    ["GET a 500 x2 x3", "once each"],
  ])("refuses %s", (line, message) => {
    expect(() => parseFaults(`GET fine 500\n${line}`)).toThrow(
      expect.objectContaining({
        code: "simulation.fault_script",
        message: expect.stringMatching(`"${line.replaceAll("*", "\\*")}".*${message}`) as string,
      }),
    );
  });
});
