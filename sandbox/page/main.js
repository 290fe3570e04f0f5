import '@knadh/oat';
import '@knadh/oat/oat.min.css';
import { createApp } from 'vue';
import App from './App.vue';
import DataForm from './components/DataForm.vue';
import DataTable from './components/DataTable.vue';
import './style.css';
import { say } from './ui.js';

const app = createApp(App).component('DataForm', DataForm).component('DataTable', DataTable);

/** Shows what an event handler, a watcher, or a hook throws or rejects with. */
app.config.errorHandler = (error) => {
	say(error.message, 'danger');
	console.error(error);
};
app.mount('#app');
