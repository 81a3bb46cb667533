import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planCoreDns, type CoreDnsState } from "./core-dns-plan.ts";
import { migrateCorefile } from "./migrate-corefile.ts";

const old = ".:53 {\n    health\n    forward . /etc/resolv.conf\n}\n";
const start: CoreDnsState = {
  tag: "1.6.2",
  wantedTag: "v1.12.0",
  isWanted: false,
  corefile: old,
  backup: undefined,
  reads: "corefile",
};
const migrated = String(migrateCorefile(old, "1.6.2", "v1.12.0"));

/** The state after a step. */
const after = (state: CoreDnsState): CoreDnsState => {
  const step = planCoreDns(state);
  switch (step.kind) {
    case "backUp":
      return { ...state, backup: step.backup };
    case "readBackup":
      return { ...state, reads: "backup" };
    case "writeCorefile":
      return { ...state, corefile: step.corefile };
    case "update":
      return { ...state, isWanted: true, tag: state.wantedTag, reads: state.reads && "corefile" };
    default:
      return state;
  }
};

describe("planCoreDns", () => {
  it.each<[string, Partial<CoreDnsState>, string]>([
    ["does nothing about the wanted image", { isWanted: true, tag: "v1.12.0" }, "done"],
    ["gives the Corefile back to the wanted image", { isWanted: true, reads: "backup" }, "update"],
    ["copies a Corefile that changes", {}, "backUp"],
    ["copies it again when the copy is of another", { backup: "other" }, "backUp"],
    ["lets the copy be read", { backup: old }, "readBackup"],
    ["then changes the Corefile", { backup: old, reads: "backup" }, "writeCorefile"],
    ["then updates", { backup: old, reads: "backup", corefile: migrated }, "update"],
    ["updates at once what reads the same", { tag: "v1.11.1" }, "update"],
    [
      "updates at once what mounts its Corefile in another way and reads the same",
      { tag: "v1.11.1", reads: undefined },
      "update",
    ],
    ["refuses an older one", { tag: "v1.12.1" }, "refused"],
    ["refuses to guess how a Corefile is mounted that changes", { reads: undefined }, "refused"],
    ["refuses a copy that is gone", { reads: "backup" }, "refused"],
    ["refuses a Corefile that cannot be read", { corefile: ".:53\n" }, "refused"],
  ])("%s", (_, given, kind) => {
    expect(planCoreDns({ ...start, ...given }).kind).toBe(kind);
  });

  it("ends from any point, and servers of the old image read the old Corefile at any time", () => {
    const option = fc.constantFrom(undefined, old, migrated, "other");
    fc.assert(
      fc.property(option, (backup) => {
        let state: CoreDnsState = { ...start, backup };
        const kinds: string[] = [];
        while (planCoreDns(state).kind !== "done" && kinds.length < 10) {
          kinds.push(planCoreDns(state).kind);
          state = after(state);
          const read = state.reads === "backup" ? state.backup : state.corefile;
          expect(read).toBe(state.isWanted ? migrated : old);
        }
        expect(kinds.slice(-3)).toEqual(["readBackup", "writeCorefile", "update"]);
        expect(state).toMatchObject({ corefile: migrated, backup: old, reads: "corefile", isWanted: true });
      }),
    );
  });
});
