import { beforeAll, expect, it } from "vitest";
import { bindingCases } from "../tenants/binding-cases.ts";
import { identityCases } from "../tenants/identity-cases.ts";
import { learnt } from "../tenants/learnt.ts";
import { objectCases } from "../tenants/object-cases.ts";
import { policyCases } from "../tenants/policy-cases.ts";
import { roleCases } from "../tenants/role-cases.ts";
import { grant, isGranted, outcomeOf, type Place, type TenantCase } from "../tenants/tenant-case.ts";
import type { Answer } from "./api.ts";
import { eventually, expectCode } from "./expectations.ts";
import { coreApi } from "./objects.ts";
import type { Section, Suite } from "./suite.ts";

const groups = {
  bindings: bindingCases,
  roles: roleCases,
  identities: identityCases,
  policies: policyCases,
  objects: objectCases,
};
const concurrency = 8;

const expectGood = (answers: readonly Answer[]): void => {
  for (const answer of answers) expectCode(answer, 201);
};

/** A tenant of its own with the rights of the case, all of which count. */
const settled = async ({ api, namespace }: Suite, each: TenantCase, name: string): Promise<Place> => {
  const accounts = `${coreApi}/namespaces/${namespace}/serviceaccounts`;
  expectCode(await api.post(accounts, { metadata: { name } }), 201);
  const issued = await api.post(`${accounts}/${name}/token`, { spec: {} });
  const as = issued.body.status.token as string;
  const user = `system:serviceaccount:${namespace}:${name}`;
  const place = { api, as, user, namespace, elsewhere: `${namespace}-elsewhere`, name };
  expectGood(await grant(place, each));
  expectGood((await each.given?.(place)) ?? []);
  await eventually(async () => expect(await isGranted(place)).toBe(true));
  return place;
};

/** What becomes of a case; a refusal that is not the expected one may be too early, before the server knows what it was given. */
const outcome = async (suite: Suite, each: TenantCase, name: string): Promise<string> => {
  const place = await settled(suite, each, name);
  const attempt = async (): Promise<string> => outcomeOf(await each.send(place), place, each);
  const first = await attempt();
  const expected = learnt[each.title] ?? "";
  if (first === expected || first.startsWith("2")) return first;
  try {
    await eventually(async () => expect(await attempt()).toBe(expected), 2_000);
    return expected;
  } catch {
    return first;
  }
};

/** What tenants of several rights get, beside what a kube-apiserver lets them have. */
export const tenants: Section = (suite) => {
  beforeAll(async () => {
    const { api, namespace } = suite();
    expectCode(await api.post(`${coreApi}/namespaces`, { metadata: { name: `${namespace}-elsewhere` } }), 201);
  });

  it("has an answer for every case", () => {
    const titles = Object.values(groups).flatMap((cases) => cases.map(({ title }) => title));
    expect(titles.toSorted()).toEqual(Object.keys(learnt).toSorted());
  });

  it.each(Object.entries(groups))("get of %s what they have the rights for", async (group, cases) => {
    const outcomes: Record<string, string> = {};
    const next = cases.entries();
    const run = async (): Promise<void> => {
      for (const [index, each] of next) outcomes[each.title] = await outcome(suite(), each, `${group}-${index}`);
    };
    await Promise.all(Array.from({ length: concurrency }, run));
    expect(outcomes).toEqual(Object.fromEntries(cases.map(({ title }) => [title, learnt[title]])));
  });
};
