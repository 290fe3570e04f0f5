// The events of the delivery, to look up their payments. If another job changed one meanwhile, once more.
return $('Payments Trigger').all();
