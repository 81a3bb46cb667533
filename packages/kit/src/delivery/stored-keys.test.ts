import { expect, it } from "vitest";
import { ownerOf } from "../engine/owner.ts";
import { dataKeysOf, reportKeyOf, reportKeysOf } from "./stored-keys.ts";

const uid = "0c6f7a52-57c1-4f0e-9a53-6f1b6f0d2a11";
const machine = (id: string) => ({
  apiVersion: "v1",
  kind: "Machine",
  metadata: { namespace: "team", name: "m", uid, annotations: { "capstan.dev/owner-id": id } },
});

it("a report is under the first uid of its machine and its mark", () => {
  expect(reportKeyOf(ownerOf(machine(uid)))).toMatch(new RegExp(`^${uid}\\.[0-9a-f]{20}\\.report$`));
});

it.each(["site/index.html", "../../other", "theirs", "", "x".repeat(2000)])(
  "nobody chooses a place in a store by an id such as %j",
  (id) => {
    for (const { key } of [...reportKeysOf(machine(id)), ...dataKeysOf(machine(id), id)]) {
      expect(key).toMatch(/^[0-9a-f.-]+(\.report)?$/);
    }
  },
);
