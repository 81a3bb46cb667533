/** Paths of causes: `spec.disks[0].size`. The empty path is the whole value. */
export const childPath = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

export const indexPath = (path: string, index: number): string => `${path}[${index}]`;

/** A member whose name the user or a schema's author chose: `properties[spec]`. */
export const keyPath = (path: string, key: string): string => `${path}[${key}]`;
