import { createLinodeProvider } from "@capstan/infra-linode";
import { createLinodeSimulator } from "@capstan/sim-linode";
import { fakeClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";

const recorder = () => {
  const added: string[] = [];
  return { added, add: ({ name }: { readonly name: string }) => void added.push(name) };
};

it("the README's quick start adds the controllers", () => {
  const manager = recorder();
  createLinodeProvider({ gzip: true }).register(manager);
  expect(manager.added).toContain("linodemachine");
});

it("the README's simulated account is one, and a provider for it", async () => {
  const manager = recorder();
  const clock = fakeClock();
  const random = seededRandom(1);
  const simulator = await createLinodeSimulator({ clock, random });
  await simulator.start();
  createLinodeProvider({ endpoint: simulator.url, token: simulator.token }).register(manager);
  const headers = { authorization: `Bearer ${simulator.token}` };
  expect((await fetch(`${simulator.url}/v4/account`, { headers })).status).toBe(200);
  expect(manager.added).toContain("linodemachine");
  await simulator.stop();
});
