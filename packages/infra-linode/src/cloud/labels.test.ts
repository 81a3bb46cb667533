import { describe, expect, it } from "vitest";
import { linodeError } from "./errors.ts";
import { createLabelled, labelsFor } from "./labels.ts";

const uid = "0123456789ab";

it.each([
  ["node-1", 64, ["node-1", "node-1-01234567"]],
  ["ab", 64, ["ab-01234567"]],
  ["x".repeat(40), 32, [`${"x".repeat(23)}-01234567`]],
  ["x".repeat(32), 32, ["x".repeat(32), `${"x".repeat(23)}-01234567`]],
])("labels for %s within %i characters", (name, max, labels) => {
  expect(labelsFor({ name, uid }, max)).toEqual(labels);
});

const attempt = async (taken: readonly string[], ours: readonly string[]) => {
  const created: string[] = [];
  await createLabelled(["a", "b"], {
    create: async (label) => {
      if (taken.includes(label)) throw linodeError("labelTaken", "taken");
      created.push(label);
    },
    isOurs: async (label) => ours.includes(label),
  });
  return created;
};

describe("createLabelled", () => {
  it("uses the first label that is free", async () => {
    expect(await attempt([], [])).toEqual(["a"]);
    expect(await attempt(["a"], [])).toEqual(["b"]);
  });

  it("creates nothing when a lost answer has already created it", async () => {
    expect(await attempt(["a"], ["a"])).toEqual([]);
    expect(await attempt(["a", "b"], ["b"])).toEqual([]);
  });

  it("gives up when all are taken by others", async () => {
    await expect(attempt(["a", "b"], [])).rejects.toMatchObject({ code: "linode.label_taken" });
  });

  it("passes other failures on", async () => {
    const call = createLabelled(["a", "b"], {
      create: () => Promise.reject(linodeError("unavailable", "down")),
      isOurs: async () => true,
    });
    await expect(call).rejects.toMatchObject({ code: "linode.unavailable" });
  });
});
