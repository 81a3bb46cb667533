import type { MetalSimulator } from "@capstan/sim-metal";

/** The machines that Tinkerbell has in its hands and that are not off. */
export const switchedOn = ({ rack }: MetalSimulator): readonly string[] =>
  rack.state.machines.filter(({ name, power }) => name.startsWith("metal-") && power !== "off").map(({ name }) => name);
