import { fakeClock, seededRandom } from "@capstan/testing";
import { silentLogger } from "@capstan/contract";
import { expect, it } from "vitest";
import { createObjectStore } from "./opener.ts";

const secret = { bucket: "data", endpoint: "https://s3.example", access: "AK", secret: "SK" };

const opener = (variables: Readonly<Record<string, string>>) =>
  createObjectStore({
    clock: fakeClock(),
    random: seededRandom(1),
    log: silentLogger,
    variable: (name) => variables[name],
    simulated: () => undefined,
  });

/** Where a signed URL leads to. */
const placeOf = async (variables: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) => {
  const store = opener(variables).open({ ...secret, ...more });
  const { url } = await store.signGet("key", { expiresInSeconds: 60 });
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

it.each([
  ["", "data.s3.example/key"],
  ["false", "data.s3.example/key"],
  ["true", "s3.example/data/key"],
  ["TRUE", "s3.example/data/key"],
])("LINODE_OBJECT_STORAGE_USE_PATH_STYLE=%s: objects are at %s", async (value, place) => {
  expect(await placeOf({ LINODE_OBJECT_STORAGE_USE_PATH_STYLE: value })).toBe(place);
});

it("lets the Secret have the last word", async () => {
  expect(await placeOf({})).toBe("data.s3.example/key");
  expect(await placeOf({ LINODE_OBJECT_STORAGE_USE_PATH_STYLE: "true" }, { forcePathStyle: "false" })).toBe(
    "data.s3.example/key",
  );
});

it("refuses a value of the variable that is neither, by its name", () => {
  expect(() => opener({ LINODE_OBJECT_STORAGE_USE_PATH_STYLE: "yes" })).toThrow(
    expect.objectContaining({
      code: "objectstore.environment_invalid",
      message: 'LINODE_OBJECT_STORAGE_USE_PATH_STYLE must be true or false, not "yes"',
    }),
  );
});
