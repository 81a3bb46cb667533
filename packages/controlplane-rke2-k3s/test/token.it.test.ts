import { createApiServer } from "@capstan/apiserver";
import { type ConditionInput, SecretResource } from "@capstan/contract/wire";
import type { ControlPlaneContext } from "@capstan/kit/control-plane";
import { type Client, connect, createClient, loadKubeconfig } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";
import { apiVersionOf } from "@capstan/schema";
import { seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KThreesControlPlane } from "../src/api.ts";
import { keepToken } from "../src/control-plane/token.ts";

const namespace = "default";
const key = { namespace, name: "aurora-token" };

describe("the token of a cluster of k3s", () => {
  const management = createApiServer({ clock: systemClock, random: seededRandom(1), extensions: [] });
  let client: Client;
  let stop: () => Promise<void>;

  const keep = async (initialized: boolean): Promise<string> => {
    const said: ConditionInput[] = [];
    const context = {
      object: {
        apiVersion: apiVersionOf(KThreesControlPlane),
        kind: "KThreesControlPlane",
        metadata: { namespace, name: "servers", uid: "1" },
      },
      cluster: { apiVersion: "", kind: "Cluster", metadata: { namespace, name: "aurora" } },
      initialized,
      client,
      random: seededRandom(2),
      call: { signal: new AbortController().signal },
      condition: (condition: ConditionInput) => said.push(condition),
    };
    await keepToken(KThreesControlPlane, context as unknown as ControlPlaneContext<KThreesControlPlane>);
    return said.map(({ type, status, reason }) => `${type} ${status} ${reason}`).join();
  };

  beforeAll(async () => {
    await management.start();
    const access = await loadKubeconfig({ text: await management.adminKubeconfig() });
    const connection = connect({ access, clock: systemClock });
    client = createClient(connection);
    stop = async () => {
      await connection.close();
      await management.stop();
    };
  });
  afterAll(() => stop());

  it("is created once, and owned by the control plane", async () => {
    expect(await keep(false)).toBe("TokenAvailable True Available");
    const made = await client.get(SecretResource, key);
    expect(made.metadata.ownerReferences).toMatchObject([{ kind: "KThreesControlPlane", controller: true }]);
    expect(await keep(true)).toBe("TokenAvailable True Available");
    expect((await client.get(SecretResource, key)).metadata.resourceVersion).toBe(made.metadata.resourceVersion);
  });

  it("is not replaced by another once the cluster is initialized", async () => {
    await client.delete(SecretResource, key);
    expect(await keep(true)).toBe("TokenAvailable False NotAvailable");
    expect(await client.find(SecretResource, key)).toBeUndefined();
  });
});
