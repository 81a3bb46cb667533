/** Names of the parts of a machine. */

const maxWindowsName = 15;

/** The name of the virtual machine: that of the object, cut down for Windows, which allows few characters. */
export const vmNameOf = (name: string, osType: string): string => {
  if (osType.toLowerCase() !== "windows" || name.length <= maxWindowsName) return name;
  return `${name.slice(0, 9).replace(/-$/, "")}-${name.slice(-5)}`;
};

/** Returns the name of a machine's only network interface, or of one of several. */
export const interfaceName = (vm: string, index: number, count: number): string =>
  count === 1 ? `${vm}-nic` : `${vm}-nic-${index}`;

export const publicIPName = (vm: string): string => `pip-${vm}`;
export const osDiskName = (vm: string): string => `${vm}_OSDisk`;
export const dataDiskName = (vm: string, suffix: string): string => `${vm}_${suffix}`;

/** The availability set of a control plane, or of the set that made the machine. */
export const availabilitySetName = (cluster: string, group: string): string => `${cluster}_${group}-as`;
