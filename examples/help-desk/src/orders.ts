/** An order of the shop. */
export interface Order {
  item: string
  status: string
}

const ORDERS: Record<number, Order> = {
  7: { item: 'a desk lamp', status: 'shipped, arrives on 3 May' },
  8: { item: 'a floor lamp', status: 'waiting for payment' },
}

export function findOrder(number: number): Order | undefined {
  return ORDERS[number]
}
