import { apiService, routing, type SimulatedState, type Simulation, simulation, text } from "@capstan/simulation";
import { fakeClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";

it("the README's cloud lists its servers", async () => {
  const [clock, random] = [fakeClock(), seededRandom(1)];

  interface Account extends SimulatedState {
    servers: { readonly name: string }[];
  }

  const account = { version: 1, empty: () => ({ servers: [{ name: "a" }, { name: "b" }] }) };
  const cloud = await simulation<Account>({ name: "acme", state: account }, { clock, random });
  const route = routing<Simulation<Account>>();
  const routes = [
    route({
      method: "GET",
      path: "servers",
      query: { name: text() },
      handle: ({ query }, { state }) => ({ items: state.servers.filter(({ name }) => name === query.name) }),
    }),
  ];
  const service = apiService({ cloud, world: cloud, routes, wordRefusal: ({ message }) => ({ error: message }) });
  const api = cloud.server().serve("api", service); // api.url, api.requests, api.faults
  await cloud.start();

  const answer = await fetch(`${api.url}/servers?name=b`);
  expect(await answer.json()).toEqual({ items: [{ name: "b" }] });
  expect(api.requests.violations).toEqual([]);
  await cloud.stop();
});
