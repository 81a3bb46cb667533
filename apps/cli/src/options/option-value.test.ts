import type { OptionDeclarationV1 } from "@capstan/contract/v1";
import { describe, expect, it } from "vitest";
import { checkOwners, durationText, optionValues } from "./option-value.ts";

const declaration: OptionDeclarationV1 = {
  of: "infra-acme",
  options: {
    poll: { type: "duration", default: 5000, min: 1000, max: 60_000, help: "how often" },
    forever: { type: "duration", min: 0, help: "how long" },
    tries: { type: "number", default: 3, min: 1, max: 10, help: "how many" },
    limit: { type: "number", help: "how many" },
    report: { type: "boolean", help: "whether" },
    region: { type: "text", choices: ["north", "south"], help: "where" },
    url: { type: "text", check: (value) => (URL.canParse(value) ? undefined : "must be a URL"), help: "where" },
    zones: { type: "list", choices: ["one", "two"], help: "which" },
    args: { type: "list", hasCommas: true, help: "which" },
  },
};

const of = (...settings: readonly string[]) =>
  optionValues(
    declaration,
    settings.map((each) => `infra-acme.${each}`),
  );

describe("values of options", () => {
  it.each([
    [["poll=30s"], { pollMs: 30_000 }],
    [["poll=1m", "poll=2s"], { pollMs: 2000 }],
    [["forever=0"], { foreverMs: 0 }],
    [["tries=10", "limit=0"], { tries: 10, limit: 0 }],
    [["report=false"], { report: false }],
    [["region=south", "url=https://a.example/?b=c"], { region: "south", url: "https://a.example/?b=c" }],
    [["zones=one, two"], { zones: ["one", "two"] }],
    [["zones=one", "zones=two"], { zones: ["one", "two"] }],
    [["zones="], { zones: [] }],
    [["args=console=ttyS0,115200n8", "args=quiet"], { args: ["console=ttyS0,115200n8", "quiet"] }],
    [[], {}],
  ])("%j", (settings, values) => {
    expect(of(...settings)).toEqual(values);
  });

  it("takes its own of the settings of all", () => {
    expect(optionValues(declaration, ["core.poll=1s", "infra-acme.tries=2"])).toEqual({ tries: 2 });
  });

  it.each([
    [
      "poll=soon",
      "option.invalid",
      "--set-option infra-acme.poll=soon: must be a duration from 1s up to 1m such as 1s",
    ],
    ["poll=61s", "option.invalid", "up to 1m"],
    ["poll=999ms", "option.invalid", "from 1s"],
    ["forever=-1s", "option.invalid", "must be a duration from 0s"],
    ["tries=0", "option.invalid", "must be a whole number from 1 to 10"],
    ["tries=2.5", "option.invalid", "must be a whole number from 1 to 10"],
    ["limit=-1", "option.invalid", "must be a whole number from 0"],
    ["report=yes", "option.invalid", "must be true or false"],
    ["region=nort", "option.invalid", "must be north or south; did you mean north?"],
    ["region=", "option.invalid", "must not be empty"],
    ["url=nowhere", "option.invalid", "infra-acme.url=nowhere: must be a URL"],
    ["zones=one,three", "option.invalid", "must be one or two"],
    ["args=", "option.invalid", "must not be empty"],
    ["pol=1s", "option.unknown", "infra-acme has no option pol; did you mean infra-acme.poll?"],
    ["toString=1", "option.unknown", "infra-acme has no option toString; its options are poll, forever,"],
  ])("refuses %s", (setting, code, message) => {
    expect(() => of(setting)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }));
  });

  it.each([
    ["infra-acne.poll=1s", "did you mean infra-acme.poll?"],
    ["acme.tries=1", "did you mean infra-acme.tries?"],
    ["zebra.stripes=9", "loaded: infra-acme"],
  ])("refuses %s, which nobody owns", (setting, hint) => {
    expect(() => checkOwners([setting], [declaration])).toThrow(hint);
    expect(() => checkOwners([setting], [declaration])).toThrow(expect.objectContaining({ code: "option.unknown" }));
  });
});

it.each([
  [0, "0s"],
  [500, "500ms"],
  [1500, "1500ms"],
  [90_000, "1m30s"],
  [900_000, "15m"],
  [3_600_000, "1h"],
  [86_400_000, "24h"],
  [3_630_000, "1h30s"],
])("%i ms are %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
