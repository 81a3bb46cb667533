import { startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Api, createApi } from "./conformance/api.ts";
import { startTarget, users } from "./embedded-server.ts";
import { nodes, places, refusedNodes } from "./schemas/schema-cases.ts";
import { everything, factsOfDefinitions, factsOfValues } from "./schemas/schema-facts.ts";
import { schemaExceptions } from "./schemas/schema-exceptions.ts";

const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";

/** Of how many values one is tried in a place, not the same in all; elsewhere it is one of eleven. */
const shares: Readonly<Record<string, number>> = { field: 1, preservedItem: 5 };

/** Every schema in every place: what our server makes of it and of values, beside what a real kube-apiserver makes of them. */
describe.skipIf(assets === "")("our server and a real kube-apiserver", () => {
  let servers: readonly { readonly api: Api; readonly stop: () => Promise<void> }[];

  beforeAll(async () => {
    const ours = await startTarget();
    const real = await startKubeApiserver({ assets, users, controllers: false });
    const { tokens, carol } = ours.target;
    const target = { url: real.url, caCertificate: real.certificateAuthority.certificate, tokens, carol };
    servers = [
      { api: createApi(ours.target), stop: () => ours.server.stop() },
      { api: createApi(target), stop: () => real.stop() },
    ];
  });

  afterAll(async () => {
    for (const { api, stop } of servers) {
      await api.close();
      await stop();
    }
  });

  /** Facts of both that differ, but for those that are meant to. */
  const differences = async (factsOf: (api: Api) => Promise<Readonly<Record<string, string>>>) => {
    const [ours = {}, real = {}] = await Promise.all(servers.map(({ api }) => factsOf(api)));
    return Object.entries(real)
      .filter(([what, fact]) => ours[what] !== fact && !schemaExceptions.some((isMeant) => isMeant(what)))
      .map(([what, fact]) => ({ what, real: fact, ours: ours[what] }));
  };

  it.each(Object.keys(places))("take the same definitions with a schema in place of a %s", async (place) => {
    const names = Object.keys({ ...nodes, ...refusedNodes });
    expect(await differences((api) => factsOfDefinitions(api, names, place))).toEqual([]);
  });

  it.each(Object.keys(places))("make the same of values with their schema in place of a %s", async (place) => {
    const turn = Object.keys(places).indexOf(place);
    const share = shares[place] ?? 11;
    const tried = everything.filter((_, index) => index % share === turn % share);
    expect(await differences((api) => factsOfValues(api, tried, place))).toEqual([]);
  });
});
