/** Imports our own modules by their names, where they are in one bundle with the command: `rolldown.config.ts` writes this again. */
export const bundledModules: Readonly<Record<string, () => Promise<object>>> = {};
