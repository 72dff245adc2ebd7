/** The dashboard. */
export function App() {
  return <h1>NUVION</h1>
}
