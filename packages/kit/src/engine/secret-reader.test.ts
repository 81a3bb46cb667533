import type { Cache, Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { beforeEach, expect, it } from "vitest";
import { SecretReader, secretText } from "./credentials.ts";

const ref = { namespace: "default", name: "s" };
const user = { namespace: "default", name: "u" };

const secretOf = (resourceVersion: string, value: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { ...ref, uid: "1", resourceVersion },
  data: { value: Buffer.from(value).toString("base64") },
});

let stored: KubeObject | undefined;
let asked: number;
let access: { readonly cache: Cache; readonly client: Client };

beforeEach(() => {
  stored = secretOf("1", "first");
  asked = 0;
  access = {
    cache: { get: () => stored } as unknown as Cache,
    client: { find: async () => ((asked += 1), stored) } as unknown as Client,
  };
});

const valueOf = async (reader: SecretReader): Promise<string | undefined> => {
  const found = await reader.read(ref, user, access);
  return found && secretText(found.data)["value"];
};

it("reads each version once for all controllers of a cache", async () => {
  const [one, other] = [new SecretReader(), new SecretReader()];
  expect(await Promise.all([valueOf(one), valueOf(other)])).toEqual(["first", "first"]);
  expect(asked).toBe(1);
  stored = secretOf("2", "second");
  expect([await valueOf(other), await valueOf(one)]).toEqual(["second", "second"]);
  expect(asked).toBe(2);
});

it("does not ask for what was made with its contents", async () => {
  const reader = new SecretReader();
  stored = undefined;
  expect(await valueOf(reader)).toBeUndefined();
  stored = secretOf("1", "made");
  reader.created(stored, access);
  expect(await valueOf(reader)).toBe("made");
  expect(asked).toBe(0);
});

it("keeps contents until the last reader is done with them", async () => {
  const [one, other] = [new SecretReader(), new SecretReader()];
  await valueOf(one);
  await valueOf(other);
  one.forget(user);
  await valueOf(other);
  expect(asked).toBe(1);
  other.forget(user);
  await valueOf(other);
  expect(asked).toBe(2);
});
