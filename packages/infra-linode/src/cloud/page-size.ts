/** The API's largest page: fewer calls for large accounts. */
export const pageSize = 500;
