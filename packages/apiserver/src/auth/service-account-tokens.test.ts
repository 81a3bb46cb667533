import { createServiceAccountKeys, readPrivateKey } from "@capstan/pki";
import type { KubeObject } from "@capstan/schema";
import { fakeClock, seededRandom } from "@capstan/testing";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import type { ResourceStore } from "../model/types.ts";
import { serviceAccountTokens } from "./service-account-tokens.ts";

const object = (kind: string, name: string, uid: string): KubeObject => ({
  apiVersion: "v1",
  kind,
  metadata: { name, uid },
});

const setup = async () => {
  const objects = new Map<string, KubeObject>([
    ["serviceaccounts/ns/robot", object("ServiceAccount", "robot", "u1")],
    ["pods/ns/p", object("Pod", "p", "u2")],
  ]);
  const store = {
    peek: ({ plural }, { namespace, name }) => objects.get(`${plural}/${namespace}/${name}`),
  } as ResourceStore;
  const clock = fakeClock();
  const keys = await createServiceAccountKeys("ECDSA-P256");
  const tokens = serviceAccountTokens({ keys, issuer: "https://i", store, clock, random: seededRandom() });
  /** A token whose claims about the account are these. */
  const signed = async (claims: unknown): Promise<string> => {
    const now = Math.floor(clock.now() / 1000);
    return await new SignJWT({ "kubernetes.io": claims })
      .setProtectedHeader({ alg: "ES256" })
      .setIssuer("https://i")
      .setAudience("https://i")
      .setIssuedAt(now)
      .setExpirationTime(now + 600)
      .sign(readPrivateKey(keys.privateKey).privateKey);
  };
  return { objects, clock, tokens, signed };
};

const account = { namespace: "ns", name: "robot", uid: "u1" } as const;

describe("serviceAccountTokens", () => {
  it("expire", async () => {
    const { clock, tokens } = await setup();
    const token = await tokens.sign({ ...account, expiresInSeconds: 600 });
    expect((await tokens.verify(token))?.user.name).toBe("system:serviceaccount:ns:robot");
    await clock.advance(599_000);
    expect(await tokens.verify(token)).toBeDefined();
    await clock.advance(2_000);
    expect(await tokens.verify(token)).toBeUndefined();
  });

  it("may last for ever", async () => {
    const { clock, tokens } = await setup();
    const token = await tokens.sign(account);
    await clock.advance(10 * 365 * 24 * 3_600_000);
    expect(await tokens.verify(token)).toBeDefined();
  });

  it("end with their account and with the object they are bound to", async () => {
    const { objects, tokens } = await setup();
    const plain = await tokens.sign(account);
    const bound = await tokens.sign({ ...account, bound: { kind: "Pod", name: "p", uid: "u2" } });
    expect((await tokens.verify(bound))?.user.extra?.["authentication.kubernetes.io/pod-name"]).toEqual(["p"]);
    objects.set("pods/ns/p", object("Pod", "p", "another"));
    expect(await tokens.verify(bound)).toBeUndefined();
    expect(await tokens.verify(plain)).toBeDefined();
    objects.set("serviceaccounts/ns/robot", object("ServiceAccount", "robot", "another"));
    expect(await tokens.verify(plain)).toBeUndefined();
  });

  it("are refused, and break nothing, when what they say about the account is nothing", async () => {
    const { tokens, signed } = await setup();
    const serviceaccount = { name: "robot", uid: "u1" };
    const namespace = "ns";
    for (const claims of [
      null,
      "text",
      {},
      { namespace, serviceaccount: null },
      { namespace, serviceaccount: "robot" },
    ]) {
      expect(await tokens.verify(await signed(claims))).toBeUndefined();
    }
    expect(await tokens.verify(await signed({ namespace, serviceaccount, pod: "p" }))).toBeUndefined();
    const unbound = await signed({ namespace, serviceaccount, pod: null, secret: null, node: null });
    expect((await tokens.verify(unbound))?.user.name).toBe("system:serviceaccount:ns:robot");
  });

  it("are for their audiences only", async () => {
    const { tokens } = await setup();
    const token = await tokens.sign({ ...account, audiences: ["a", "b"] });
    expect(await tokens.verify(token)).toBeUndefined();
    expect((await tokens.verify(token, ["b", "c"]))?.audiences).toEqual(["b"]);
  });

  it("are refused when they are forged", async () => {
    const [first, second] = [await setup(), await setup()];
    const token = await first.tokens.sign(account);
    expect(await second.tokens.verify(token)).toBeUndefined();
    const [header, , signature] = token.split(".");
    const payload = Buffer.from(JSON.stringify({ iss: "https://i", aud: "https://i" })).toString("base64url");
    expect(await first.tokens.verify(`${header}.${payload}.${signature}`)).toBeUndefined();
    const unsigned = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    expect(await first.tokens.verify(`${unsigned}.${payload}.`)).toBeUndefined();
    expect(await first.tokens.verify("no.token")).toBeUndefined();
  });
});
