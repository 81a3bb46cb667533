import { silentLogger } from "@capstan/contract";
import { createMetrics } from "@capstan/runtime";
import { fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";
import { epochMark, Installation, lacksEpoch, tagTexts, withEpoch } from "./installation.ts";

const epoch = epochMark({ id: "884bfa3f-e030-4427-8a8c-c313e98d9fae", epoch: 1_764_471_600 });
const older = epochMark({ id: "884bfa3f-e030-4427-8a8c-c313e98d9fae", epoch: 1 });

it("fits the tags of all clouds", () => {
  expect(epoch.tag).toMatch(/^capstan-epoch=[0-9a-f]{12}-1764471600$/);
  expect(tagTexts({ [epoch.label.key]: epoch.label.value })).toEqual([epoch.tag]);
});

it.each([
  [[], [epoch.tag], true],
  [["team", older.tag], ["team", epoch.tag], true],
  [["team", epoch.tag], ["team", epoch.tag], false],
  [[epoch.tag, older.tag], [epoch.tag], true],
  [["capstan-epoch=mine"], ["capstan-epoch=mine", epoch.tag], true],
])("of %j are %j to be set", (tags, wanted, lacks) => {
  expect(withEpoch(tags, { epoch })).toEqual(wanted);
  expect(lacksEpoch(tags, { epoch })).toBe(lacks);
});

it.each([[[]], [["team"]], [[older.tag]]])("leaves %j as it is where the installation is not known", (tags) => {
  expect(withEpoch(tags, {})).toEqual(tags);
  expect(lacksEpoch(tags, {})).toBe(false);
});

it("believes what one namespace is shown for that namespace alone", () => {
  const facts = { id: "884bfa3f-e030-4427-8a8c-c313e98d9fae", epoch: 1 };
  const installation = new Installation({
    read: async () => facts,
    howToRaise: () => "raise it",
    clock: fakeClock(),
    log: silentLogger,
    metrics: createMetrics(),
  });
  const at = (namespace: string) => ({ cloud: "infra-linode", namespace });
  installation.saw(at("team-a"), [epoch.tag]);
  expect(installation.supersededAt(at("team-a"), facts)).toMatchObject({ code: "installation.superseded" });
  expect(installation.supersededAt(at("team-b"), facts)).toBeUndefined();
});
