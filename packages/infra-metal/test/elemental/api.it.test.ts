import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { request } from "node:https";
import { conditionOf } from "@capstan/contract/wire";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ElementalHost } from "../../src/elemental/api/elemental-host.v1beta1.ts";
import { ElementalRegistration } from "../../src/elemental/api/elemental-registration.v1beta1.ts";
import { HostLabel } from "../../src/elemental/api/names.ts";
import { newPrivateKey, signRegistrationToken } from "../../src/elemental/registration/registration-token.ts";
import { ElementalWorld } from "./elemental-world.ts";

let world: ElementalWorld;
let fleet: ElementalRegistration;

beforeAll(async () => {
  world = await ElementalWorld.start();
  fleet = await world.register("fleet", { hostLabels: { site: "north" } });
});
afterAll(() => world.stop());

const settings = (registration = fleet) => registration.spec?.config?.elemental?.registration ?? {};

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly registrationToken?: string | undefined;
  readonly registration?: ElementalRegistration;
}

/** Asks the API over TLS, trusting the authority of the registration. */
const ask = (path: string, { body, method = "GET", registration = fleet, registrationToken, token }: Asked = {}) =>
  new Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>((resolve, reject) => {
    const { caCert, uri = "" } = settings(registration);
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(registrationToken !== undefined && { "registration-authorization": `Bearer ${registrationToken}` }),
    };
    const sent = request(`${uri}${path}`, { method, headers, ca: caCert }, (response) => {
      let text = "";
      response.on("data", (part) => (text += String(part)));
      response.once("end", () => {
        const status = response.statusCode ?? 0;
        resolve({ status, body: (text === "" ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>> });
      });
    });
    sent.once("error", reject);
    sent.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
  });

/** A host with a key, and the tokens that it signs. */
const newHost = (name: string) => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const pubKey = publicKey.export({ format: "pem", type: "spki" }).toString();
  const token = (
    claims: { readonly sub?: string; readonly aud?: string; readonly life?: number } = {},
    key: KeyObject = privateKey,
  ) => {
    const seconds = Math.floor(world.environment.clock.now() / 1000);
    const { aud = settings().uri ?? "", life = 60, sub = name } = claims;
    return new SignJWT({})
      .setProtectedHeader({ alg: "EdDSA" })
      .setSubject(sub)
      .setAudience(aud)
      .setNotBefore(seconds - 2)
      .setExpirationTime(seconds + life)
      .sign(key);
  };
  const register = async (more: object = {}, asked: Asked = {}) =>
    ask("/hosts", {
      method: "POST",
      body: { name, pubKey, ...more },
      token: await token(),
      registrationToken: settings().token,
      ...asked,
    });
  return { name, token, register };
};

describe("the Elemental API", () => {
  it("tells its registration to who has its token, and to nobody else", async () => {
    const { body, status } = await ask("", { registrationToken: settings().token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ hostLabels: { site: "north" }, hostAnnotations: {} });
    expect((await ask("")).status).toBe(401);
    expect((await ask("", { registrationToken: "no.jwt" })).status).toBe(401);
    const now = world.environment.clock.now();
    const uri = settings().uri ?? "";
    const foreign = await signRegistrationToken({ privateKey: newPrivateKey(), uri, now });
    const { body: said, status: refused } = await ask("", { registrationToken: foreign });
    expect(refused).toBe(403);
    expect(said["message"]).toContain("it is not signed with the right key");
  });

  it("accepts no token of another registration", async () => {
    const other = await world.register("other");
    const { status } = await ask("", { registrationToken: settings(other).token });
    expect(status).toBe(403);
    const host = newHost("elsewhere");
    expect((await host.register()).status).toBe(201);
    // The host is known, but not there.
    const token = await host.token({ aud: settings(other).uri ?? "" });
    const asked = { method: "PATCH", body: {}, token, registration: other };
    expect((await ask("/hosts/elsewhere", asked)).status).toBe(404);
  });

  it("knows hosts by their key, their name and whom they speak to", async () => {
    const host = newHost("known");
    expect((await host.register()).status).toBe(201);
    const patch = async (token: string | undefined) =>
      (await ask("/hosts/known", { method: "PATCH", body: {}, token })).status;
    expect(await patch(await host.token())).toBe(200);
    expect(await patch(undefined)).toBe(401);
    expect(await patch(await host.token({ sub: "other" }))).toBe(403);
    expect(await patch(await host.token({ aud: "https://other" }))).toBe(403);
    expect(await patch(await host.token({ life: -60 }))).toBe(403);
    expect(await patch(await host.token({ life: 86_400 }))).toBe(403);
    expect(await patch(await newHost("known").token())).toBe(403);
    expect((await newHost("known").register()).status).toBe(409);
    expect(
      (await ask("/hosts/nobody", { method: "PATCH", body: {}, token: await host.token({ sub: "nobody" }) })).status,
    ).toBe(404);
  });

  it("answers hosts of a registration that is deleted until they are reset, and takes no new ones", async () => {
    const leaving = await world.register("leaving");
    const asked = { registration: leaving, registrationToken: settings(leaving).token };
    const host = newHost("last");
    const token = async (name = host) => ({ ...asked, token: await name.token({ aud: settings(leaving).uri ?? "" }) });
    expect((await host.register({}, await token())).status).toBe(201);
    const { environment, namespace } = world;
    const [registration, key] = [
      { namespace, name: "leaving" },
      { namespace, name: "last" },
    ];
    await environment.client.delete(ElementalHost, key);
    await environment.eventually(ElementalRegistration, registration, (object) =>
      (object?.metadata.finalizers ?? []).some((each) => each.startsWith("capstan.dev/held-by-elementalhost")),
    );
    await environment.client.delete(ElementalRegistration, registration);
    await environment.eventually(
      ElementalHost,
      key,
      (object) => object?.metadata.labels?.[HostLabel.needsReset] === "true",
    );
    const late = newHost("late");
    expect((await late.register({}, await token(late))).status).toBe(403);
    const patch = async (body: object) => ask("/hosts/last", { method: "PATCH", body, ...(await token()) });
    expect((await patch({})).body).toMatchObject({ needsReset: true });
    expect((await patch({ reset: true })).status).toBe(200);
    await environment.eventually(ElementalHost, key, (object) => object === undefined);
    await environment.eventually(ElementalRegistration, registration, (object) => object === undefined);
  });

  it("lets hosts set what their registration names", async () => {
    expect((await newHost("labelled").register({ labels: { site: "north" } })).status).toBe(201);
    for (const labels of [{ [HostLabel.installed]: "true" }, { other: "x" }, { site: "no label value!" }]) {
      const { body, status } = await newHost("steering").register({ labels });
      expect(status).toBe(400);
      expect(body["message"]).toContain(Object.keys(labels)[0]);
    }
    expect(await world.host("steering")).toBeUndefined();
  });

  it("sets and clears flags", async () => {
    const host = newHost("flagged");
    await host.register();
    const patch = async (body: object) => ask("/hosts/flagged", { method: "PATCH", body, token: await host.token() });
    expect((await patch({ installed: true, inPlaceUpdate: "pending" })).body).toMatchObject({
      installed: true,
      inPlaceUpgrade: "pending",
    });
    expect((await patch({})).body).toMatchObject({ installed: true });
    expect((await patch({ installed: false, inPlaceUpdate: "" })).body).toMatchObject({
      installed: false,
      inPlaceUpgrade: "",
    });
    const { body, status } = await patch({ bootstrapped: true });
    expect(status).toBe(400);
    expect(body["message"]).toContain("there is nothing yet that the host could be bootstrapped with");
  });

  it("writes nothing for a report that says nothing new", async () => {
    const host = newHost("quiet");
    await host.register();
    const condition = {
      type: "InstallationReady",
      status: "False",
      severity: "Error",
      reason: "InstallationFailed",
      message: "no disk",
    };
    const patch = async () =>
      ask("/hosts/quiet", { method: "PATCH", body: { phase: "Installing", condition }, token: await host.token() });
    expect((await patch()).status).toBe(200);
    await world.environment.eventually<ElementalHost>(
      ElementalHost,
      world.key("quiet"),
      (object) => object !== undefined && conditionOf(object, "Ready", "v1beta1")?.message === "no disk",
    );
    const before = (await world.host("quiet"))?.metadata.resourceVersion;
    expect((await patch()).status).toBe(200);
    expect((await world.host("quiet"))?.metadata.resourceVersion).toBe(before);
  });

  it("refuses what it does not serve, and what is too much", async () => {
    const registrationToken = settings().token;
    expect((await ask("/unknown", { registrationToken })).status).toBe(404);
    expect((await ask("", { method: "PUT", registrationToken })).status).toBe(405);
    const host = newHost("large");
    const token = await host.token();
    const post = (body: unknown) => ask("/hosts", { method: "POST", body, token, registrationToken });
    expect((await post("{")).status).toBe(400);
    expect((await post({ name: "large", filler: "x".repeat(70_000) })).status).toBe(413);
    expect((await post({ name: "Large", pubKey: "" })).status).toBe(400);
    expect((await host.register({ pubKey: "no key" })).status).toBe(400);
    const path = "/hosts/large/bootstrap";
    expect((await ask(path, { token })).status).toBe(404);
  });
});

describe("a registration", () => {
  it("has a key of its own, and keeps what its user has set", async () => {
    expect(fleet.spec?.privateKeyRef).toMatchObject({ kind: "Secret", name: "fleet" });
    const own = await world.register("own", {
      config: {
        elemental: { registration: { uri: "https://elsewhere.example/r", caCert: "PEM", tokenDuration: 60e9 } },
      },
    });
    expect(settings(own)).toMatchObject({ uri: "https://elsewhere.example/r", caCert: "PEM" });
  });

  it("says when its token has expired, and signs another one when that is taken away", async () => {
    const { client, clock } = world.environment;
    const short = await world.register("short", {
      config: { elemental: { registration: { tokenDuration: -1e9 } } },
    });
    const expired = await world.environment.eventually<ElementalRegistration>(
      ElementalRegistration,
      world.key("short"),
      (object) =>
        object !== undefined && conditionOf(object, "Ready", "v1beta1")?.reason === "RegistrationTokenExpired",
    );
    const said = expired === undefined ? "" : conditionOf(expired, "Ready", "v1beta1")?.message;
    expect(said).toContain("take spec.config.elemental.registration.token away to have a new one");
    await clock.advance(2000);
    const body = { spec: { config: { elemental: { registration: { token: null, tokenDuration: 0 } } } } };
    await client.patch(ElementalRegistration, world.key("short"), { type: "merge", body });
    const renewed = await world.registered("short");
    expect(settings(renewed).token).not.toBe(settings(short).token);
  });

  it("says what its Secret lacks", async () => {
    const { client } = world.environment;
    await client.create(ElementalRegistration, {
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "ElementalRegistration",
      metadata: world.key("keyless"),
      spec: { privateKeyRef: { name: "nothing" } },
    });
    const found = await world.environment.eventually<ElementalRegistration>(
      ElementalRegistration,
      world.key("keyless"),
      (object) => object !== undefined && conditionOf(object, "Ready", "v1beta1")?.reason === "RegistrationKeyMissing",
    );
    const said = found === undefined ? "" : conditionOf(found, "Ready", "v1beta1")?.message;
    expect(said).toContain("Secret nothing of spec.privateKeyRef has no key privKey");
  });
});
