import { createAzureProvider } from "@capstan/infra-azure";
import { createAzureSimulator } from "@capstan/sim-azure";
import { fakeClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";

it("the README's quick start is a simulated subscription and a provider for it", async () => {
  const clock = fakeClock();
  const random = seededRandom(1);
  const added: string[] = [];
  const manager = { add: ({ name }: { readonly name: string }) => void added.push(name) };
  const simulator = await createAzureSimulator({ clock, random });
  await simulator.start();
  createAzureProvider({ endpoint: simulator.url, ca: simulator.ca }).register(manager);
  expect(added).toContain("azuremachine");
  await simulator.stop();
});
