import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { credentialsOf } from "../credentials.ts";
import { ConnectReads } from "./connect-reads.ts";
import { holdsAnnotation } from "./hold-record.ts";

const recorded = (namespace: string): string =>
  JSON.stringify([{ kind: "Secret", namespace, name: "first", as: "credentials" }]);

const leaving = (holds: string): KubeObject => ({
  apiVersion: "acme.example.dev/v1",
  kind: "AcmeMachine",
  metadata: {
    namespace: "blue",
    name: "node",
    deletionTimestamp: "2026-01-01T00:00:00Z",
    annotations: { [holdsAnnotation]: holds },
  },
});

const readsOf = (object: KubeObject, secrets: readonly string[]) => {
  const asked: string[] = [];
  const removed = { noun: "the server", finalizer: "acme.example.dev/machine", id: "7" };
  const reads = new ConnectReads(object, removed, async (ref) => {
    const name = `${ref.namespace}/${ref.name}`;
    asked.push(name);
    return secrets.includes(name) ? credentialsOf(ref, "1", {}) : undefined;
  });
  return { asked, reads };
};

it("an object on its way out uses the Secret that it was made with when nothing else is named or there", async () => {
  const { reads } = readsOf(leaving(recorded("blue")), ["blue/first"]);
  expect((await reads.primary(undefined))?.name).toBe("blue/first");
  expect((await reads.primary({ name: "gone" }))?.name).toBe("blue/first");
});

it("an object on its way out uses the Secret that it names, in another namespace too", async () => {
  const { reads } = readsOf(leaving(recorded("team")), ["team/first"]);
  expect((await reads.primary({ namespace: "team", name: "first" }))?.name).toBe("team/first");
});

it("never reads a Secret of another namespace because of a record alone, which users can write", async () => {
  const { asked, reads } = readsOf(leaving(recorded("team")), ["team/first"]);
  await expect(reads.primary(undefined)).rejects.toMatchObject({
    code: "credentials.secret_not_named",
    message:
      "Secret team/first with the credentials is in another namespace and no longer referenced, so the server 7 cannot be deleted; reference a Secret again, or delete the server 7 yourself and remove the finalizer acme.example.dev/machine from AcmeMachine blue/node",
  });
  await expect(reads.primary({ name: "gone" })).rejects.toMatchObject({ code: "credentials.secret_missing" });
  expect(asked).toEqual(["blue/gone"]);
});
