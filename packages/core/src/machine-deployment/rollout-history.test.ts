import { describe, expect, it } from "vitest";
import { Annotation } from "@capstan/contract";
import { ownerReference } from "@capstan/contract/wire";
import { at, machineDeployment, machineSet } from "../../test/objects.ts";
import { MachineDeployment } from "../api.ts";
import { historyWith, knownRevisions, rolloutHistory, rolloutHistoryAnnotation } from "./rollout-history.ts";

const deployment = (version: string, history?: string) =>
  machineDeployment(
    history === undefined ? {} : { metadata: { annotations: { [rolloutHistoryAnnotation]: history } } },
    { version },
  );

const shown = (history: string): readonly string[] =>
  rolloutHistory(deployment("v1.0.0", history)).map(({ revision, since, template }) =>
    [revision, since.slice(17, 19), template.version].join(" "),
  );

describe("the history of a deployment", () => {
  it("gets an entry per revision, and an older one with the same template makes room", () => {
    const first = historyWith(deployment("v1.33.0"), 1, at(1));
    const second = historyWith(deployment("v1.34.0", first), 2, at(2));
    expect(shown(second)).toEqual(["1 01 v1.33.0", "2 02 v1.34.0"]);
    expect(shown(historyWith(deployment("v1.33.0", second), 3, at(3)))).toEqual(["2 02 v1.34.0", "3 03 v1.33.0"]);
  });

  it("does not change with time alone", () => {
    const first = historyWith(deployment("v1.33.0"), 1, at(1));
    expect(historyWith(deployment("v1.33.0", first), 1, at(2))).toBe(first);
  });

  it("keeps ten", () => {
    let history = "[]";
    for (let revision = 1; revision <= 12; revision++) {
      history = historyWith(deployment(`v1.${revision}.0`, history), revision, at(revision));
    }
    expect(shown(history)).toHaveLength(10);
    expect(shown(history)[0]).toBe("3 03 v1.3.0");
  });

  it.each(["", "{", "{}", "[1, null]", '[{"revision":"1"}]'])("takes %j for none", (text) => {
    expect(rolloutHistory(deployment("v1.0.0", text))).toEqual([]);
    expect(shown(historyWith(deployment("v1.33.0", text), 1, at(1)))).toEqual(["1 01 v1.33.0"]);
  });
});

const set = (revision: string | undefined, version: string, owned = true) =>
  machineSet(
    {
      metadata: {
        annotations: revision === undefined ? {} : { [Annotation.revision]: revision },
        ownerReferences: owned ? [ownerReference(MachineDeployment, machineDeployment(), { controller: true })] : [],
      },
    },
    { version },
  );

describe("knownRevisions", () => {
  it("are those of the history and those of sets, without what is others', has none or came back", () => {
    const given = deployment("v1.34.0", historyWith(deployment("v1.34.0"), 10, at(3)));
    const sets = [
      set("7", "v1.34.0"),
      set("9", "v1.33.0"),
      set("8", "v1.32.0", false),
      set(undefined, "v1.31.0"),
      set("10", "v1.34.0"),
    ];
    expect(knownRevisions(given, sets).map(({ revision, template }) => `${revision} ${template.version}`)).toEqual([
      "9 v1.33.0",
      "10 v1.34.0",
    ]);
  });
});
