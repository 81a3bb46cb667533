import { generateKeyPairSync } from "node:crypto";
import { request } from "node:https";
import { conditionOf } from "@capstan/contract/wire";
import { decodeJwt, SignJWT } from "jose";
import { afterEach, expect, it } from "vitest";
import { ElementalHost } from "../../src/elemental/api/elemental-host.v1beta1.ts";
import { ElementalRegistration } from "../../src/elemental/api/elemental-registration.v1beta1.ts";
import type { ElementalOptions } from "../../src/elemental/options.ts";
import { readElementalOptions } from "../../src/elemental/read-options.ts";
import { ElementalWorld } from "./elemental-world.ts";

let world: ElementalWorld;
afterEach(() => world.stop());

const start = async (options: ElementalOptions = {}): Promise<void> => {
  world = await ElementalWorld.start(options);
};

const settings = (registration: ElementalRegistration) => registration.spec?.config?.elemental?.registration ?? {};

/** A host registers; resolves to what it is answered. */
const register = async (
  registration: ElementalRegistration,
  name: string,
  at: string = settings(registration).uri ?? "",
): Promise<{ status: number; text: string }> => {
  const { caCert, token, uri = "" } = settings(registration);
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const seconds = Math.floor(world.environment.clock.now() / 1000);
  const own = await new SignJWT({})
    .setProtectedHeader({ alg: "EdDSA" })
    .setSubject(name)
    .setAudience(uri)
    .setNotBefore(seconds - 2)
    .setExpirationTime(seconds + 60)
    .sign(privateKey);
  const headers = { authorization: `Bearer ${own}`, "registration-authorization": `Bearer ${token}` };
  const answered = Promise.withResolvers<{ status: number; text: string }>();
  const sent = request(`${at}/hosts`, { method: "POST", headers, ca: caCert }, (response) => {
    let text = "";
    response.on("data", (part) => (text += String(part)));
    response.once("end", () => answered.resolve({ status: response.statusCode ?? 0, text }));
  });
  sent.once("error", answered.reject);
  sent.end(JSON.stringify({ name, pubKey: publicKey.export({ format: "pem", type: "spki" }).toString() }));
  return answered.promise;
};

const statuses = async (registration: ElementalRegistration, count: number, from = 0): Promise<readonly number[]> => {
  const names = Array.from({ length: count }, (_, index) => `host-${from + index}`);
  return (await Promise.all(names.map((name) => register(registration, name)))).map(({ status }) => status);
};

const hosts = async (): Promise<number> =>
  (await world.environment.client.list(ElementalHost, { namespace: world.namespace })).items.length;

it.each([
  ["the provider's", { hostLimit: 3 }, {}],
  ["its own", {}, { hostLimit: 3 }],
])(
  "a registration registers no more hosts than %s limit, also of those that come at once",
  async (_, options, spec) => {
    await start(options);
    const fleet = await world.register("fleet", spec);
    const answers = await statuses(fleet, 6);
    expect(answers.toSorted((a, b) => a - b)).toEqual([201, 201, 201, 403, 403, 403]);
    expect(await hosts()).toBe(3);
    expect((await register(fleet, "more")).text).toContain("has 3 hosts and may have 3");
    const other = await world.register("other", spec);
    expect((await register(other, "another")).status).toBe(201);
  },
);

it("two replicas register no more hosts than the limit, and the registration says when it is reached", async () => {
  await start({ hostLimit: 3 });
  const fleet = await world.register();
  const second = await world.replica();
  const all = Array.from({ length: 10 }, (_, index) => index);
  const answers = await Promise.all(
    all.map((index) => register(fleet, `host-${index}`, index % 2 === 0 ? undefined : second)),
  );
  expect(answers.filter(({ status }) => ![201, 403, 429].includes(status))).toEqual([]);
  expect(await hosts()).toBeLessThanOrEqual(3);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(await hosts());
  for (let index = 10; (await hosts()) < 3; index += 1) await register(fleet, `host-${index}`);
  const said = async (status: string) =>
    world.environment.eventually<ElementalRegistration>(
      ElementalRegistration,
      world.key("fleet"),
      (object) => object !== undefined && conditionOf(object, "HostsAccepted")?.status === status,
    );
  const full = conditionOf((await said("False"))!, "HostsAccepted");
  expect(full).toMatchObject({ reason: "HostLimitReached", message: expect.stringContaining("may have 3; delete") });
  const more = { type: "merge", body: { spec: { hostLimit: 4 } } } as const;
  await world.environment.client.patch(ElementalRegistration, world.key("fleet"), more);
  await said("True");
});

it("hosts register no faster than one a second after the first thirty", async () => {
  await start({ hostLimit: 0 });
  const fleet = await world.register("fleet");
  const answers = await statuses(fleet, 40);
  expect(answers.filter((status) => status === 201)).toHaveLength(30);
  expect(answers.filter((status) => status === 429)).toHaveLength(10);
  await world.environment.pass(5000);
  expect((await statuses(fleet, 10, 100)).filter((status) => status === 201).length).toBeLessThanOrEqual(6);
});

const hour = 3_600_000;
const now = () => world.environment.clock.now();

it("the token of a registration without tokenDuration expires, by default after a week", async () => {
  await start();
  const { exp = 0 } = decodeJwt(settings(await world.register()).token ?? "");
  expect(exp * 1000 - now()).toBeGreaterThan(167 * hour);
  expect(exp * 1000 - now()).toBeLessThanOrEqual(168 * hour);
});

it("such a token is signed anew in time, and the old one is refused when it has expired", async () => {
  await start({ tokenDurationMs: 600_000 });
  const fleet = await world.register();
  const old = settings(fleet).token ?? "";
  const renewed = await world.environment.eventually<ElementalRegistration>(
    ElementalRegistration,
    world.key("fleet"),
    (object) => object !== undefined && ![undefined, "", old].includes(settings(object).token),
  );
  expect((await register(fleet, "early")).status, "the old one is still valid").toBe(201);
  expect((await register(renewed!, "new")).status).toBe(201);
  await world.environment.pass(400_000);
  expect((await register(fleet, "late")).status).toBe(403);
});

it.each([
  ["tokenDuration 0", {}, { config: { elemental: { registration: { tokenDuration: 0 } } } }],
  ["the option 0", { tokenDurationMs: 0 }, {}],
])("a token is for ever with %s, as upstream has it", async (_, options, spec) => {
  await start(options);
  const fleet = await world.register("fleet", spec);
  expect(decodeJwt(settings(fleet).token ?? "")).not.toHaveProperty("exp");
});

it("the options are read from the environment, and what is none is refused", async () => {
  await start();
  const read = (values: Readonly<Record<string, string>>) => readElementalOptions((name) => values[name]);
  const values = { ELEMENTAL_HOST_LIMIT: "12", ELEMENTAL_TOKEN_DURATION: "24h" };
  expect(read(values)).toMatchObject({ hostLimit: 12, tokenDurationMs: 24 * hour });
  expect(() => read({ ELEMENTAL_HOST_LIMIT: "many" })).toThrow("ELEMENTAL_HOST_LIMIT");
  expect(() => read({ ELEMENTAL_TOKEN_DURATION: "soon" })).toThrow("ELEMENTAL_TOKEN_DURATION");
});
